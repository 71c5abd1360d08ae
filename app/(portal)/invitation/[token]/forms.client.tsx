'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import { Notice } from '@/app/ui/notice'
import { joinAction, joinAnewAction, joinAsSelfAction } from './actions'

type Fault = (name: string) => string | undefined

function Address({ email }: { email: string }) {
  return (
    <Field label="E-mail address" hint="The invitation is for this address.">
      {(tied) => <Input {...tied} readOnly value={email} autoComplete="username" />}
    </Field>
  )
}

function Passwords({ fault }: { fault: Fault }) {
  return (
    <>
      <Field
        label="Password"
        error={fault('password')}
        hint="At least 12 characters. A few words are easy to keep in mind."
        required
      >
        {(tied) => (
          <Input {...tied} name="password" type="password" autoComplete="new-password" minLength={12} required />
        )}
      </Field>
      <Field label="The password again" error={fault('again')} required>
        {(tied) => <Input {...tied} name="again" type="password" autoComplete="new-password" required />}
      </Field>
    </>
  )
}

/** A new account for whoever was invited. */
export function JoinForm({ token, email }: { token: string; email: string }) {
  return (
    <ActionForm action={joinAction} submit="Join" values={{ token }}>
      {(fault) => (
        <>
          <Address email={email} />
          <Field label="Your name" error={fault('name')} required>
            {(tied) => <Input {...tied} name="name" autoComplete="name" required maxLength={100} />}
          </Field>
          <Passwords fault={fault} />
        </>
      )}
    </ActionForm>
  )
}

/** A new password for the account that is there, whoever set it up. */
export function JoinAnew({ token, email }: { token: string; email: string }) {
  return (
    <ActionForm action={joinAnewAction} submit="Join" values={{ token }}>
      {(fault) => (
        <>
          <Notice>
            <p>
              Somebody set up an account for this address before, and nobody has confirmed that it was you. Choose a new
              password: the old one, passkeys, two-factor sign-in and open sessions end.
            </p>
          </Notice>
          <Address email={email} />
          <Passwords fault={fault} />
        </>
      )}
    </ActionForm>
  )
}

/** One click for who is signed in as the one invited. */
export function JoinAsSelf({ token, name }: { token: string; name: string }) {
  return <ActionForm action={joinAsSelfAction} submit={`Join ${name}`} values={{ token }} />
}
