'use client'

import { useState } from 'react'
import { Button } from '@/app/ui/button'
import { Check, Choices } from '@/app/ui/input'
import { type ProtocolMode, STATELESS_VERSION } from '@/lib/portal/connection'
import type { SignInPlaces } from '@/lib/portal/own-sign-in'
import { type Issuer, KeyPicker } from '../../developers/key-picker.client'
import { SignIn } from './sign-in.client'

const MODES: { mode: ProtocolMode; name: string; text: string }[] = [
  { mode: 'sessions', name: 'Sessions', text: 'Protocol 2025-11-25 and older: most clients today' },
  {
    mode: 'stateless',
    name: 'Stateless',
    text: `Protocol ${STATELESS_VERSION}: no session; each request is independent`,
  },
]

type Props = {
  issuer: Issuer | undefined
  /** The page that creates test keys, when this host cannot. */
  elsewhere: string | undefined
  /** Where people sign in to connect as themselves; undefined where they cannot. */
  signIn: SignInPlaces | undefined
  signInFault: string | undefined
  secret: string
  isBusy: boolean
  onKey(key: string): void
  onConnect(mode: ProtocolMode, key: string): void
}

/** The protocol mode and the key. Choosing a key connects; the key stays in this tab. */
export function Connect({ issuer, elsewhere, signIn, signInFault, secret, isBusy, onKey, onConnect }: Props) {
  const [mode, setMode] = useState<ProtocolMode>('sessions')

  function choose(key: string): void {
    onKey(key)
    if (key) onConnect(mode, key)
  }

  return (
    <section className="grid gap-5 rounded-lg border border-line bg-raised p-5" aria-label="Connection">
      <Choices legend="Protocol mode">
        {MODES.map(({ mode: value, name, text }) => (
          <Check
            key={value}
            type="radio"
            name="mode"
            value={value}
            label={name}
            hint={text}
            checked={mode === value}
            onChange={() => setMode(value)}
          />
        ))}
      </Choices>
      {signIn && !secret && <SignIn places={signIn} mode={mode} fault={signInFault} />}
      <KeyPicker issuer={issuer} chosen={secret} submit="Connect" onChoose={choose} />
      {elsewhere && !secret && (
        <p className="text-sm text-quiet">
          No key? <a href={elsewhere}>Create a test key in the portal</a> and paste it here.
        </p>
      )}
      {secret && (
        <Button
          look="main"
          className="justify-self-start"
          aria-disabled={isBusy}
          onClick={() => !isBusy && onConnect(mode, secret)}
        >
          {isBusy ? 'Connecting…' : 'Connect'}
        </Button>
      )}
    </section>
  )
}
