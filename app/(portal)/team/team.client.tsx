'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { ConfirmAction } from '@/app/ui/confirm-action.client'
import { DialogButton } from '@/app/ui/dialog.client'
import { RowAction } from '@/app/ui/row-action.client'
import { SecretReveal } from '@/app/ui/secret.client'
import { EmailField } from '@/app/ui/text-field'
import { inviteAction, resendInvitationAction, withdrawInvitationAction } from './actions'
import { Roles, type RoleText } from './member.client'

type Inviting = { contractorId: string; roles: RoleText[]; mails: boolean }

/** Invites a person, by email where it is sent. The link is shown once. */
export function Invite(props: Inviting) {
  const form = <InviteForm {...props} />
  return (
    <>
      <span className="contents noscript:hidden">
        <DialogButton label="Invite" look="main" title="Invite someone">
          {form}
        </DialogButton>
      </span>
      <noscript>{form}</noscript>
    </>
  )
}

const hintFor = ({ email, mailed }: { email: string; mailed: boolean }) =>
  mailed
    ? `We’ve emailed ${email} a link of their own. You can pass this one on as well: it works once, for that address, for a week, and is not shown again.`
    : `Send it to ${email} yourself; we don’t send it by email. It works once, for that address, for a week, and is not shown again.`

function InviteForm({ contractorId, roles, mails }: Inviting) {
  return (
    <ActionForm
      action={inviteAction}
      submit={mails ? 'Send invitation' : 'Create link'}
      values={{ contractorId }}
      instead={(made) =>
        made && <SecretReveal label="Invitation link" secret={made.link} hint={hintFor(made)} hasFocus />
      }
    >
      {(fault, entered) => (
        <>
          <EmailField autoComplete="off" fault={fault} entered={entered} />
          <Roles roles={roles} chosen={entered.text('role', 'viewer')} />
        </>
      )}
    </ActionForm>
  )
}

/** Mails an invitation again. */
export function Resend({ contractorId, id, email }: { contractorId: string; id: string; email: string }) {
  return (
    <RowAction
      action={resendInvitationAction}
      submit="Resend"
      look="bare"
      values={{ contractorId, id }}
      what={`Invitation of ${email}`}
    />
  )
}

/** Withdraws an invitation. */
export function Withdraw({ contractorId, id, email }: { contractorId: string; id: string; email: string }) {
  const values = { contractorId, id }
  return (
    <ConfirmAction
      action={withdrawInvitationAction}
      label="Withdraw"
      submit="Withdraw invitation"
      size="small"
      values={values}
      what={`Invitation of ${email}`}
      title={`Withdraw the invitation of ${email}?`}
      text="Its link stops working at once."
    />
  )
}
