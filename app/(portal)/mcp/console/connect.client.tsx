'use client'

import { useState } from 'react'
import { Button } from '@/app/ui/button'
import { Radios } from '@/app/ui/input'
import { type ProtocolMode, STATELESS_VERSION } from '@/lib/portal/connection'
import type { SignInPlaces } from '@/lib/portal/own-sign-in'
import { type Issuer, KeyPicker } from '../../developers/key-picker.client'
import { SignIn } from './sign-in.client'

const MODES: { value: ProtocolMode; label: string; hint: string }[] = [
  { value: 'sessions', label: 'Sessions', hint: 'Protocol 2025-11-25 and older: most clients today' },
  {
    value: 'stateless',
    label: 'Stateless',
    hint: `Protocol ${STATELESS_VERSION}: no session; each request is independent`,
  },
]

type Props = {
  issuer: Issuer | undefined
  /** The page that creates test keys, when this host cannot. */
  elsewhere: string | undefined
  /** The pages where people sign in to connect as themselves; undefined where they cannot. */
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
      <Radios
        legend="Protocol mode"
        name="mode"
        options={MODES}
        isChosen={(value) => value === mode}
        onChoose={setMode}
      />
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
