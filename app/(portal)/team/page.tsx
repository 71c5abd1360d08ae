import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { Badge } from '@/app/ui/badge'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import { ROLE_TEXTS } from '@/lib/auth/roles'
import { mailsPeople } from '@/lib/core/people-mail'
import { ROLES } from '@/lib/core/roles'
import { execute } from '@/lib/operations/execute'
import { listTeam } from '@/lib/operations/team/list-team'
import { Invite, MemberMenu, Resend, Withdraw } from './team.client'

export const metadata: Metadata = { title: 'Team' }

/** What became of an invitation's email. */
const MAIL = { sent: 'Sent', waiting: 'Sending', failed: 'Not delivered', none: 'Link handed over' } as const

/** A contractor's members and their roles, and open invitations. */
export default async function Team() {
  const { actor, current } = await requireActor(listTeam)
  const { contractorId } = actor
  const { members, invitations } = await execute(listTeam, { actor, now: new Date() }, {})
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
        <Table
          caption={`Team of ${current.name}`}
          rows={members}
          rowKey={({ personId }) => personId}
          columns={[
            {
              name: 'person',
              width: 'sm:w-72',
              head: 'Person',
              cell: ({ name, email, personId }) => (
                <>
                  {name} {personId === actor.personId && <span className="font-normal text-quiet">(you)</span>}
                  <span className="block text-sm font-normal text-quiet">{email}</span>
                </>
              ),
            },
            { name: 'role', width: 'sm:w-32', head: 'Role', cell: ({ role }) => ROLE_TEXTS[role].title },
            {
              name: 'factor',
              width: 'sm:w-32',
              head: 'Two-factor',
              cell: ({ twoFactor }) => <Badge tone={twoFactor ? 'good' : 'neutral'}>{twoFactor ? 'On' : 'Off'}</Badge>,
            },
            {
              name: 'seen',
              width: 'sm:w-50',
              head: 'Last sign-in',
              cell: ({ lastSignIn }) => (lastSignIn ? <Time at={lastSignIn} /> : 'Not signed in'),
            },
            {
              name: 'change',
              width: 'sm:w-36',
              head: <span className="sr-only">Change</span>,
              label: '',
              cell: ({ personId, name, role }) => (
                <MemberMenu contractorId={contractorId} personId={personId} name={name} role={role} roles={roles} />
              ),
            },
          ]}
        />
        {invitations.length > 0 && (
          <Card title="Invited" text="Unused invitation links. Each works once, for its address, for a week.">
            <Table
              caption="Open invitations"
              rows={invitations}
              rowKey={({ id }) => id}
              columns={[
                { name: 'email', width: 'sm:w-72', head: 'Email address', cell: ({ email }) => email },
                { name: 'role', width: 'sm:w-32', head: 'Role', cell: ({ role }) => ROLE_TEXTS[role].title },
                {
                  name: 'until',
                  width: 'sm:w-50',
                  head: 'Expires',
                  cell: ({ expiresAt }) => <Time at={expiresAt} />,
                },
                {
                  name: 'mail',
                  width: 'sm:w-36',
                  head: 'By email',
                  cell: ({ mail }) => <Badge tone={mail === 'failed' ? 'bad' : 'neutral'}>{MAIL[mail]}</Badge>,
                },
                {
                  name: 'withdraw',
                  width: 'sm:w-50',
                  head: <span className="sr-only">Change</span>,
                  label: '',
                  cell: ({ id, email }) => (
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
