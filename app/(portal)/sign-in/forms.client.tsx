'use client'

import { useState } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Button } from '@/app/ui/button'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import { EmailField } from '@/app/ui/text-field'
import { signInAction, signInWithCodeAction } from './actions'

/** The first step: email address and password. */
export function SignInForm({ next }: { next: string }) {
  return (
    <ActionForm
      action={signInAction}
      submit="Sign in"
      values={{ next }}
      beside={
        <a href="/forgot-password" className="text-sm underline">
          Forgot your password?
        </a>
      }
    >
      {(fault, entered) => (
        <>
          <EmailField autoComplete="username webauthn" autoFocus fault={fault} entered={entered} />
          <Field label="Password" error={fault('password')}>
            {(tied) => <Input {...tied} name="password" type="password" autoComplete="current-password" required />}
          </Field>
        </>
      )}
    </ActionForm>
  )
}

/** The second step: a code from the authenticator app, or a backup code. */
export function CodeForm({ next }: { next: string }) {
  const [kind, setKind] = useState<'app' | 'backup'>('app')
  const isApp = kind === 'app'
  return (
    <ActionForm
      action={signInWithCodeAction}
      submit="Sign in"
      values={{ next, kind }}
      beside={
        <Button look="bare" size="small" onClick={() => setKind(isApp ? 'backup' : 'app')}>
          {isApp ? 'Use a backup code' : 'Use the authenticator app'}
        </Button>
      }
    >
      {(fault) => (
        <Field
          label={isApp ? 'Authenticator code' : 'Backup code'}
          hint={
            isApp
              ? 'Six digits that change every 30 seconds.'
              : 'One of the codes you saved when you turned on two-factor sign-in.'
          }
          error={fault('code')}
        >
          {(tied) => (
            <Input
              {...tied}
              key={kind}
              name="code"
              autoComplete="one-time-code"
              inputMode={isApp ? 'numeric' : 'text'}
              required
              autoFocus
              className="font-mono"
            />
          )}
        </Field>
      )}
    </ActionForm>
  )
}
