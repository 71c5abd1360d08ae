import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import { mailsPeople } from '@/lib/auth/people/mailed-links'
import { ROLE_TEXTS } from '@/lib/auth/roles'
import { ROLES } from '@/lib/core/roles'
import { execute } from '@/lib/operations/execute'
import { listTeam } from '@/lib/operations/team/list-team'
import { Invite, Resend, Withdraw } from './team.client'

export const metadata: Metadata = { title: 'Team' }

/** The delivery states of an invitation's email. */
const MAIL = { sent: 'Sent', waiting: 'Sending', failed: 'Not delivered', none: 'Link handed over' } as const

/** A contractor's members and their roles, and open invitations. */
export default async function Team() {
  const { actor, current } = await requireActor(listTeam)
  const { contractorId } = actor
  const at = await desk()
  const { members, invitations } = await execute(listTeam, { actor, now: at.now }, {})
  const roles = ROLES.map((role) => ({ role, ...ROLE_TEXTS[role] }))
  return (
    <>
      <PageHead
        title="Team"
        text={`People on the team of ${current.name}, and their roles.`}
        actions={
          <>
            <LinkButton href="/team/sso">Single sign-on</LinkButton>
            <Invite contractorId={contractorId} roles={roles} mails={mailsPeople()} />
          </>
        }
      />
      <div className="grid gap-6">
        <DataTable
          desk={at}
          caption={`Team of ${current.name}`}
          rows={members}
          rowKey={({ personId }) => personId}
          columns={[
            {
              name: 'person',
              head: 'Person',
              kind: 'text',
              value: ({ name, personId }) => (personId === actor.personId ? `${name} (you)` : name),
              under: ({ email }) => email,
            },
            { name: 'role', head: 'Role', kind: 'text', isShort: true, value: ({ role }) => ROLE_TEXTS[role].title },
            {
              name: 'factor',
              head: 'Two-factor',
              kind: 'status',
              value: ({ twoFactor }) => (twoFactor ? 'On' : 'Off'),
              tone: ({ twoFactor }) => (twoFactor ? 'good' : 'neutral'),
            },
            {
              name: 'seen',
              head: 'Last sign-in',
              kind: 'moment',
              rank: 2,
              value: ({ lastSignIn }) => lastSignIn,
            },
            {
              name: 'change',
              head: 'Change',
              kind: 'parts',
              width: '@xl:w-28',
              isAction: true,
              parts: ({ personId, name }) => (
                <LinkButton href={`/team/${personId}`} size="small">
                  Change<span className="sr-only"> {name}</span>
                </LinkButton>
              ),
            },
          ]}
        />
        {invitations.length > 0 && (
          <Card title="Invited" text="Unused invitation links. Each works once, for its address, for a week.">
            <DataTable
              desk={at}
              caption="Open invitations"
              rows={invitations}
              rowKey={({ id }) => id}
              columns={[
                { name: 'email', head: 'Email address', kind: 'text', value: ({ email }) => email },
                {
                  name: 'role',
                  head: 'Role',
                  kind: 'text',
                  isShort: true,
                  value: ({ role }) => ROLE_TEXTS[role].title,
                },
                { name: 'until', head: 'Expires', kind: 'moment', rank: 2, value: ({ expiresAt }) => expiresAt },
                {
                  name: 'mail',
                  head: 'By email',
                  kind: 'status',
                  value: ({ mail }) => MAIL[mail],
                  tone: ({ mail }) => (mail === 'failed' ? 'danger' : 'neutral'),
                },
                {
                  name: 'withdraw',
                  head: 'Change',
                  kind: 'parts',
                  width: '@xl:w-50',
                  isAction: true,
                  parts: ({ id, email }) => (
                    <span className="flex flex-wrap gap-1">
                      {mailsPeople() && <Resend contractorId={contractorId} id={id} email={email} />}
                      <Withdraw contractorId={contractorId} id={id} email={email} />
                    </span>
                  ),
                },
              ]}
            />
          </Card>
        )}
        <Card title="Roles">
          <dl className="grid gap-3">
            {roles.map(({ role, title, text }) => (
              <div key={role}>
                <dt className="font-semibold">{title}</dt>
                <dd className="text-quiet">{text}</dd>
              </div>
            ))}
          </dl>
        </Card>
      </div>
    </>
  )
}
