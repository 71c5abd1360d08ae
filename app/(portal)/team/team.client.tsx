'use client'

import { useState } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Dialog, DialogButton } from '@/app/ui/dialog.client'
import { Check, Choices } from '@/app/ui/input'
import { Menu } from '@/app/ui/menu.client'
import { RowAction } from '@/app/ui/row-action.client'
import { SecretReveal } from '@/app/ui/secret.client'
import { TextField } from '@/app/ui/text-field'
import {
  changeRoleAction,
  inviteAction,
  removeMemberAction,
  resendInvitationAction,
  withdrawInvitationAction,
} from './actions'

type RoleText = { role: string; title: string; text: string }

function Roles({ roles, chosen }: { roles: RoleText[]; chosen: string | undefined }) {
  return (
    <Choices legend="Role">
      {roles.map(({ role, title, text }) => (
        <Check
          key={role}
          type="radio"
          name="role"
          value={role}
          label={title}
          hint={text}
          defaultChecked={role === chosen}
        />
      ))}
    </Choices>
  )
}

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
          <TextField
            name="email"
            type="email"
            label="Email address"
            autoComplete="off"
            required
            fault={fault}
            entered={entered}
          />
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
    <RowAction
      action={withdrawInvitationAction}
      submit="Withdraw"
      look="bare"
      values={values}
      what={`Invitation of ${email}`}
    />
  )
}

type Member = { contractorId: string; personId: string; name: string; role: string; roles: RoleText[] }

/** A member's menu: change the role or remove the member, each in its own dialog. */
export function MemberMenu({ contractorId, personId, name, role, roles }: Member) {
  const [open, setOpen] = useState<'role' | 'remove'>()
  const close = () => setOpen(undefined)
  const values = { contractorId, personId }
  return (
    <>
      <noscript>
        <ActionForm action={changeRoleAction} submit="Change role" size="small" look="plain" values={values}>
          {() => <Roles roles={roles} chosen={role} />}
        </ActionForm>
        <ActionForm action={removeMemberAction} submit="Remove from team" size="small" look="danger" values={values} />
      </noscript>
      <span className="contents noscript:hidden">
        <Menu
          label="Change"
          name={`Change ${name}`}
          items={[
            { name: 'Change role', onChoose: () => setOpen('role') },
            { name: 'Remove from team', onChoose: () => setOpen('remove') },
          ]}
        />
      </span>
      <Dialog title={`Role of ${name}`} isOpen={open === 'role'} onClose={close}>
        <ActionForm action={changeRoleAction} submit="Change role" values={values} onDone={close}>
          {() => <Roles roles={roles} chosen={role} />}
        </ActionForm>
      </Dialog>
      <Dialog title={`Remove ${name} from the team`} isOpen={open === 'remove'} onClose={close}>
        <ActionForm action={removeMemberAction} submit="Remove from team" look="danger" values={values} onDone={close}>
          {() => (
            <p>
              They lose access to this contractor at once. Their explorer keys and the invitations they sent are
              revoked. Other keys they created keep working.
            </p>
          )}
        </ActionForm>
      </Dialog>
    </>
  )
}
