'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Notice } from '@/app/ui/notice'
import { EmailField } from '@/app/ui/text-field'
import { askResetAction } from './actions'

/** Asks for the address of the account; then says that the email is on its way if there is one. */
export function ForgotForm({ minutes, perHour }: { minutes: number; perHour: number }) {
  return (
    <ActionForm
      action={askResetAction}
      submit="Email me a link"
      instead={(asked) => (
        <Notice tone="good" alert>
          <p>
            If there is an account for <span className="wrap-anywhere">{asked?.email}</span>, a link is on its way. It
            works once, for {minutes} minutes.
          </p>
          <p>
            Nothing after a few minutes? Check the spam folder. We send at most {perHour} links an hour to an address.
          </p>
        </Notice>
      )}
    >
      {(fault, entered) => <EmailField autoComplete="username" autoFocus fault={fault} entered={entered} />}
    </ActionForm>
  )
}
