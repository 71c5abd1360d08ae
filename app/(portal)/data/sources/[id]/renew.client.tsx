'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { newUrlAction } from '../actions'
import { MailUrl } from '../form.client'

/** Makes another URL for mails, and shows it once. */
export const RenewUrl = ({ values }: { values: Record<string, string> }) => (
  <ActionForm
    action={newUrlAction}
    submit="Make a new URL"
    look="plain"
    values={values}
    instead={(made) => made && <MailUrl {...made} />}
  />
)
