'use client'

import { useEffect } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Button, LinkButton } from '@/app/ui/button'
import type { ConfirmProps } from '@/app/ui/confirming.client'
import { Dialog } from '@/app/ui/dialog.client'
import { Field } from '@/app/ui/field'
import { Input, UserName } from '@/app/ui/input'
import type { FormResult, Proving } from '@/lib/portal/form-result'
import { PasskeyFault, promptForPasskey } from '@/lib/portal/passkey'
import { beginPasskeyConfirmationAction, confirmWithPasskeyAction, confirmWithPasswordAction } from './actions'
import { CONFIRMED, ssoStart } from './done'

/** Asks for a passkey in the browser's own dialog, and sends its response. */
async function withPasskey(): Promise<FormResult> {
  const begun = await beginPasskeyConfirmationAction(undefined, new FormData())
  if (!begun?.ok || !begun.data) return begun
  try {
    const form = new FormData()
    form.set('answer', await promptForPasskey(begun.data))
    return await confirmWithPasskeyAction(undefined, form)
  } catch (thrown) {
    if (thrown instanceof PasskeyFault) return { ok: false, error: thrown.message }
    throw thrown
  }
}

type Provider = { slug: string; host: string; next: string | undefined; onDone: () => void }

/** Asks a person to sign in again at their provider. A page opens it in the same tab, a dialog in a new one, so that what was entered stays. */
function AtProvider({ slug, host, next, onDone }: Provider) {
  const isPage = next !== undefined
  useEffect(() => {
    if (isPage) return
    const channel = new BroadcastChannel(CONFIRMED)
    channel.onmessage = onDone
    return () => channel.close()
  }, [isPage, onDone])
  return (
    <div className="grid gap-4">
      <p>
        Sign in again at {host}.{!isPage && ' It opens in a new tab; then come back here.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <LinkButton href={ssoStart(slug, next ?? '/')} look="main" {...(!isPage && { target: '_blank' })}>
          Sign in at {host}
        </LinkButton>
        {!isPage && <Button onClick={onDone}>I’ve signed in</Button>}
      </div>
    </div>
  )
}

type Props = { ways: Proving; next?: string; onDone: () => void }

/** Asks a signed-in person to confirm that it is them: by password, passkey, or at the provider they signed in with. */
export function ConfirmForm({ ways, next, onDone }: Props) {
  if ('sso' in ways) return <AtProvider {...ways.sso} next={next} onDone={onDone} />
  return (
    <div className="grid gap-4">
      <ActionForm
        action={confirmWithPasswordAction}
        submit="Confirm"
        values={next === undefined ? {} : { next }}
        onDone={onDone}
      >
        {(fault) => (
          <>
            <p>You signed in a while ago, and this change stays after you sign out.</p>
            <UserName email={ways.email} />
            <Field label="Password" error={fault('password')}>
              {(tied) => <Input {...tied} name="password" type="password" autoComplete="current-password" required />}
            </Field>
          </>
        )}
      </ActionForm>
      {ways.passkey && (
        <div className="border-t border-line pt-4 noscript:hidden">
          <ActionForm action={withPasskey} submit="Use a passkey" look="plain" onDone={onDone} />
        </div>
      )}
    </div>
  )
}

/** The same in a dialog, beside the form that waits for it. */
export const ConfirmDialog = ({ proving, isOpen, onClose, onDone }: ConfirmProps) => (
  <Dialog title="Confirm it’s you" isOpen={isOpen} onClose={onClose}>
    <ConfirmForm ways={proving} onDone={onDone} />
  </Dialog>
)
