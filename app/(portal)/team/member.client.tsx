'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Radios } from '@/app/ui/input'
import type { Entered } from '@/lib/portal/form-result'
import { changeRoleAction, removeMemberAction } from './actions'

export type RoleText = { role: string; title: string; text: string }

export function Roles({ roles, chosen }: { roles: RoleText[]; chosen: string | undefined }) {
  return (
    <Radios
      legend="Role"
      name="role"
      options={roles.map(({ role, title, text }) => ({ value: role, label: title, hint: text }))}
      isChosen={(role) => role === chosen}
    />
  )
}

/** The choice for what a member set up. */
function SetupChoice({ legend, entered }: { legend: string; entered: Entered }) {
  return (
    <Radios
      legend={legend}
      name="setup"
      options={[
        { value: 'keep', label: 'Keep it working' },
        { value: 'end', label: 'Revoke their keys, and pause their webhooks and sources' },
      ]}
      isChosen={(value) => entered.has('setup', value, value === 'keep')}
    />
  )
}

type Of = { contractorId: string; personId: string; hasSetup: boolean }

/** Gives a member another role. */
export function ChangeRole({
  contractorId,
  personId,
  hasSetup,
  roles,
  role,
}: Of & { roles: RoleText[]; role: string }) {
  return (
    <ActionForm action={changeRoleAction} submit="Change role" look="plain" values={{ contractorId, personId }}>
      {(_, entered) => (
        <>
          <Roles roles={roles} chosen={entered.text('role', role)} />
          {role === 'admin' && hasSetup && (
            <SetupChoice legend="What they set up, if they are no longer an administrator" entered={entered} />
          )}
        </>
      )}
    </ActionForm>
  )
}

/** Removes a member, and leads back to the team. */
export function RemoveMember({ contractorId, personId, hasSetup }: Of) {
  return (
    <ActionForm action={removeMemberAction} submit="Remove from team" look="danger" values={{ contractorId, personId }}>
      {(_, entered) => (
        <>
          <p>
            They lose access to this contractor at once. Their explorer keys, their connected programs and the
            invitations they sent end.
          </p>
          {hasSetup && <SetupChoice legend="What they set up" entered={entered} />}
        </>
      )}
    </ActionForm>
  )
}
