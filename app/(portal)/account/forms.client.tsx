'use client'

import { useState } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Field } from '@/app/ui/field'
import { Input, UserName } from '@/app/ui/input'
import { RowAction } from '@/app/ui/row-action.client'
import { changePasswordAction, endSessionAction, switchContractorAction } from './actions'

/** Ends one of the user's own sessions. */
export function EndSession({ id, name }: { id: string; name: string }) {
  return <RowAction action={endSessionAction} submit="End" look="bare" values={{ id }} what={name} />
}

/** Changes the password; asks for the current one. */
export function PasswordForm({ email }: { email: string }) {
  // A submitted form is cleared.
  const [round, setRound] = useState(0)
  return (
    <ActionForm
      key={round}
      action={changePasswordAction}
      submit="Change password"
      look="plain"
      onDone={() => setRound((before) => before + 1)}
    >
      {(fault) => (
        <>
          <UserName email={email} />
          <Field label="Current password" error={fault('current')}>
            {(tied) => <Input {...tied} name="current" type="password" autoComplete="current-password" required />}
          </Field>
          <Field label="New password" error={fault('next')} hint="At least 12 characters.">
            {(tied) => (
              <Input {...tied} name="next" type="password" autoComplete="new-password" minLength={12} required />
            )}
          </Field>
          <Field label="Confirm new password" error={fault('again')}>
            {(tied) => <Input {...tied} name="again" type="password" autoComplete="new-password" required />}
          </Field>
        </>
      )}
    </ActionForm>
  )
}

/** Switches to another of the user's contractors. */
export function SwitchTo({ contractorId, name }: { contractorId: string; name: string }) {
  const values = { contractorId, next: '/' }
  return <RowAction action={switchContractorAction} submit="Switch" look="plain" values={values} what={name} />
}
