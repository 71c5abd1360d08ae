'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import { Notice } from '@/app/ui/notice'
import { joinAction, joinAsSelfAction } from './actions'

/** Creates an account for the invited person. `isReset` means that an unverified account already exists for this address. */
export function JoinForm({ token, email, isReset = false }: { token: string; email: string; isReset?: boolean }) {
  return (
    <ActionForm action={joinAction} submit="Join" values={{ token }}>
      {(fault) => (
        <>
          {isReset && (
            <Notice>
              <p>
                Someone created an account for this address, but the address was never verified. Choose a new password:
                the old one, passkeys, two-factor sign-in and open sessions end.
              </p>
            </Notice>
          )}
          <Field label="Email address" hint="The invitation is for this address.">
            {(tied) => <Input {...tied} readOnly value={email} autoComplete="username" />}
          </Field>
          <Field label="Your name" error={fault('name')} required>
            {(tied) => <Input {...tied} name="name" autoComplete="name" required maxLength={100} />}
          </Field>
          <Field
            label="Password"
            error={fault('password')}
            hint="At least 12 characters. A few words are easy to remember."
            required
          >
            {(tied) => (
              <Input {...tied} name="password" type="password" autoComplete="new-password" minLength={12} required />
            )}
          </Field>
          <Field label="Confirm password" error={fault('again')} required>
            {(tied) => <Input {...tied} name="again" type="password" autoComplete="new-password" required />}
          </Field>
        </>
      )}
    </ActionForm>
  )
}

/** Accepts with one click, for the invited person who is already signed in. */
export function JoinAsSelf({ token, name }: { token: string; name: string }) {
  return <ActionForm action={joinAsSelfAction} submit={`Join ${name}`} values={{ token }} />
}
