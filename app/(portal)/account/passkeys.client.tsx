'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { DialogButton } from '@/app/ui/dialog.client'
import { Field } from '@/app/ui/field'
import { Input, UserName } from '@/app/ui/input'
import type { FormResult } from '@/lib/portal/form-result'
import { createPasskey, PasskeyFault } from '@/lib/portal/passkey'
import { addPasskeyAction, beginPasskeyAction, removePasskeyAction, renamePasskeyAction } from './actions'

/** Gets options from the server, has the device create a passkey, and sends it to the server. */
async function makeAndAdd(_: FormResult, form: FormData): Promise<FormResult> {
  const begun = await beginPasskeyAction(undefined, form)
  if (!begun?.ok || !begun.data) return begun
  try {
    form.set('answer', await createPasskey(begun.data))
  } catch (thrown) {
    if (thrown instanceof PasskeyFault) return { ok: false, error: thrown.message }
    throw thrown
  }
  form.delete('password')
  return await addPasskeyAction(undefined, form)
}

function Name({ error, value }: { error: string | undefined; value?: string }) {
  return (
    <Field label="Name" error={error} hint="What you call the device or password manager.">
      {(tied) => (
        <Input {...tied} name="name" maxLength={60} autoComplete="off" required autoFocus defaultValue={value} />
      )}
    </Field>
  )
}

/** Adds a passkey; asks for a name and the password. */
export function AddPasskey({ email }: { email: string }) {
  return (
    <DialogButton label="Add a passkey" title="Add a passkey">
      {(close) => (
        <ActionForm action={makeAndAdd} submit="Continue" onDone={close}>
          {(fault) => (
            <>
              <p>Next, your browser asks where to save it and verifies that it is you.</p>
              <UserName email={email} />
              <Name error={fault('name')} />
              <Field label="Password" error={fault('password')}>
                {(tied) => <Input {...tied} name="password" type="password" autoComplete="current-password" required />}
              </Field>
            </>
          )}
        </ActionForm>
      )}
    </DialogButton>
  )
}

/** Renames or removes a passkey. */
export function PasskeyActions({ id, name }: { id: string; name: string }) {
  const of = <span className="sr-only"> {name}</span>
  return (
    <div className="flex justify-end gap-1">
      <DialogButton label={<>Rename{of}</>} look="bare" size="small" title="Rename the passkey">
        {(close) => (
          <ActionForm action={renamePasskeyAction} submit="Rename" values={{ id }} onDone={close}>
            {(fault) => <Name error={fault('name')} value={name} />}
          </ActionForm>
        )}
      </DialogButton>
      <DialogButton label={<>Remove{of}</>} look="bare" size="small" title="Remove the passkey">
        {(close) => (
          <ActionForm action={removePasskeyAction} submit="Remove" look="danger" values={{ id }} onDone={close}>
            {() => (
              <p>
                <strong className="wrap-anywhere">{name}</strong> no longer signs you in. Delete it on its device or in
                your password manager too; we cannot do that.
              </p>
            )}
          </ActionForm>
        )}
      </DialogButton>
    </div>
  )
}
