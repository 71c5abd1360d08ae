'use client'

import { useState } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Button } from '@/app/ui/button'
import { CopyButton } from '@/app/ui/copy.client'
import { Dialog } from '@/app/ui/dialog.client'
import { Field } from '@/app/ui/field'
import { Input, UserName } from '@/app/ui/input'
import { beginTwoFactorAction, confirmTwoFactorAction, endTwoFactorAction } from './actions'

type Begun = { image: string; secret: string; backupCodes: string[] }

function Password({ error, email }: { error: string | undefined; email: string }) {
  return (
    <>
      <UserName email={email} />
      <Field label="Password" error={error}>
        {(tied) => (
          <Input {...tied} name="password" type="password" autoComplete="current-password" required autoFocus />
        )}
      </Field>
    </>
  )
}

/**
 * Turns two-factor sign-in on, in two steps, or off. An open dialog finishes what it started, even when the page already shows the
 * new state.
 */
export function TwoFactor({ isOn, email }: { isOn: boolean; email: string }) {
  const [isOpen, setOpen] = useState(false)
  const [turnsOff, setTurnsOff] = useState(isOn)
  const close = () => setOpen(false)
  const open = () => {
    setTurnsOff(isOn)
    setOpen(true)
  }
  return (
    <>
      <Button look={isOn ? 'danger' : 'plain'} className="noscript:hidden" aria-haspopup="dialog" onClick={open}>
        {isOn ? 'Turn off' : 'Turn on'}
      </Button>
      <noscript>
        {isOn ? (
          <ActionForm action={endTwoFactorAction} submit="Turn off" look="danger">
            {(fault) => <Password error={fault('password')} email={email} />}
          </ActionForm>
        ) : (
          <TurnOn onDone={close} email={email} />
        )}
      </noscript>
      <Dialog title={`Turn two-factor sign-in ${turnsOff ? 'off' : 'on'}`} isOpen={isOpen} onClose={close}>
        {turnsOff ? (
          <ActionForm action={endTwoFactorAction} submit="Turn off" look="danger" onDone={close}>
            {(fault) => <Password error={fault('password')} email={email} />}
          </ActionForm>
        ) : (
          <TurnOn onDone={close} email={email} />
        )}
      </Dialog>
    </>
  )
}

function TurnOn({ onDone, email }: { onDone: () => void; email: string }) {
  return (
    <ActionForm
      action={beginTwoFactorAction}
      submit="Continue"
      instead={(begun) => begun && <Confirm begun={begun} onDone={onDone} />}
    >
      {(fault) => <Password error={fault('password')} email={email} />}
    </ActionForm>
  )
}

/** Shows the authenticator secret and the backup codes once; then a code from the app turns it on. */
function Confirm({ begun, onDone }: { begun: Begun; onDone: () => void }) {
  const { image, secret, backupCodes } = begun
  return (
    <div className="grid gap-4">
      <p>Scan this with an authenticator app, or enter the text manually.</p>
      {/* biome-ignore lint/performance/noImgElement: drawn for this person just now; there is nothing to optimize. */}
      <img src={image} alt="QR code" width={180} height={180} className="rounded-md border border-line bg-white p-2" />
      <div className="flex flex-wrap items-center gap-2">
        <code className="wrap-anywhere">{secret}</code>
        <CopyButton text={secret} label="Copy the text" />
      </div>
      <div>
        <p className="mb-2">
          Save these backup codes in a safe place. Each signs you in once if you lose the app; they are not shown again.
        </p>
        <pre className="grid grid-cols-2 gap-x-4 rounded-md p-3">
          {backupCodes.map((code) => (
            <span key={code}>{code}</span>
          ))}
        </pre>
        <CopyButton text={backupCodes.join('\n')} label="Copy the codes" />
      </div>
      <ActionForm action={confirmTwoFactorAction} submit="Turn on" onDone={onDone}>
        {(fault) => (
          <Field label="Code from the app" error={fault('code')}>
            {(tied) => (
              <Input
                {...tied}
                name="code"
                inputMode="numeric"
                autoComplete="one-time-code"
                required
                className="font-mono"
              />
            )}
          </Field>
        )}
      </ActionForm>
    </div>
  )
}
