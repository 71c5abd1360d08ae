'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@/app/ui/button'
import { Field } from '@/app/ui/field'
import { Check, Choices, Input } from '@/app/ui/input'
import { type ProtocolMode, STATELESS_VERSION } from '@/lib/portal/connection'
import { keepKey, keptKey, keyFault } from '@/lib/portal/key'

const MODES: { mode: ProtocolMode; name: string; text: string }[] = [
  { mode: 'sessions', name: 'Sessions', text: 'Protocol 2025-11-25 and older: most clients today' },
  {
    mode: 'stateless',
    name: 'Stateless',
    text: `Protocol ${STATELESS_VERSION}: no session, each request stands alone`,
  },
]

type Props = {
  connected: ProtocolMode | undefined
  busy: boolean
  onConnect(mode: ProtocolMode, key: string): void
  onDisconnect(): void
}

/** The key and the protocol mode. The key stays in this tab. */
export function Connect({ connected, busy, onConnect, onDisconnect }: Props) {
  const [key, setKey] = useState('')
  const [isShown, setShown] = useState(false)
  const [mode, setMode] = useState<ProtocolMode>('sessions')
  const [fault, setFault] = useState<string>()
  const [isReady, setReady] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  // Text typed before the script loaded is kept, and the form cannot submit until then.
  useEffect(() => {
    setKey(keptKey() || (field.current?.value ?? ''))
    setReady(true)
  }, [])

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (busy) return
    const text = key.trim()
    const problem = keyFault(text)
    setFault(problem)
    if (problem) field.current?.focus()
    else {
      keepKey(text)
      onConnect(mode, text)
    }
  }

  function forget(): void {
    setKey('')
    setShown(false)
    setFault(undefined)
    keepKey('')
    onDisconnect()
    field.current?.focus()
  }

  return (
    <form
      className="grid gap-5 rounded-lg border border-line bg-raised p-5"
      onSubmit={submit}
      noValidate
      aria-label="Connection"
    >
      <Field
        id="key"
        label="API key"
        hint="Kept in this tab only, and sent to this server only. Closing the tab forgets it."
        error={fault}
      >
        {(tied) => (
          <div className="flex flex-wrap gap-2.5">
            <Input
              {...tied}
              ref={field}
              type={isShown ? 'text' : 'password'}
              value={key}
              onChange={({ target }) => setKey(target.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="plb_live_…"
              className="flex-[1_1_14rem] font-mono text-sm/relaxed"
            />
            <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {isShown ? 'Hide key' : 'Show key'}
            </Button>
          </div>
        )}
      </Field>
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
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" look="main" disabled={!isReady} aria-disabled={busy}>
          {busy ? 'Connecting…' : connected ? 'Connect again' : 'Connect'}
        </Button>
        {connected && <Button onClick={onDisconnect}>Disconnect</Button>}
        {key && <Button onClick={forget}>Forget key</Button>}
      </div>
    </form>
  )
}
