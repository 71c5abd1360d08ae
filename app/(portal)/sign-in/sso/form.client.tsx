'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Notice } from '@/app/ui/notice'
import { TextField } from '@/app/ui/text-field'
import { findSsoAction } from './actions'

/** Asks for the contractor's short name, or for an email address that is told where to sign in. */
export function FindSso({ mails }: { mails: boolean }) {
  return (
    <ActionForm
      action={findSsoAction}
      submit="Continue"
      instead={(asked) => (
        <Notice tone="good" alert>
          <p>
            If <span className="wrap-anywhere">{asked?.email}</span> signs in with single sign-on, an email with the
            address to use is on its way. Bookmark it.
          </p>
        </Notice>
      )}
    >
      {(fault, entered) => (
        <TextField
          name="where"
          label={mails ? 'Contractor’s short name, or your email address' : 'Contractor’s short name'}
          hint="The short name is the last part of the address your administrator gave you."
          autoComplete="email"
          autoCapitalize="none"
          required
          autoFocus
          fault={fault}
          entered={entered}
        />
      )}
    </ActionForm>
  )
}
