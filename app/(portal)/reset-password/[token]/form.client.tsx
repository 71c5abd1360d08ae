'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import { resetPasswordAction } from './actions'

/** Asks for the new password, twice. */
export function ResetForm({ token, email }: { token: string; email: string }) {
  return (
    <ActionForm action={resetPasswordAction} submit="Change password" values={{ token }}>
      {(fault) => (
        <>
          <Field label="Email address">
            {(tied) => <Input {...tied} readOnly value={email} autoComplete="username" />}
          </Field>
          <Field
            label="New password"
            error={fault('password')}
            hint="At least 12 characters. A few words are easy to remember."
            required
          >
            {(tied) => (
              <Input
                {...tied}
                name="password"
                type="password"
                autoComplete="new-password"
                minLength={12}
                required
                autoFocus
              />
            )}
          </Field>
          <Field label="Confirm new password" error={fault('again')} required>
            {(tied) => <Input {...tied} name="again" type="password" autoComplete="new-password" required />}
          </Field>
        </>
      )}
    </ActionForm>
  )
}
