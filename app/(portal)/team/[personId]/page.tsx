import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireActor } from '@/app/session/actor'
import { Card, PageHead } from '@/app/ui/card'
import { ROLE_TEXTS } from '@/lib/auth/roles'
import { ROLES } from '@/lib/core/roles'
import { execute } from '@/lib/operations/execute'
import { listTeam } from '@/lib/operations/team/list-team'
import { getMemberSetup } from '@/lib/operations/team/member-setup'
import { ChangeRole, RemoveMember } from '../member.client'
import { MemberSetup } from './setup'

export const metadata: Metadata = { title: 'Team member' }

/** A member's role, how to remove them, and what they set up that goes on working without them. */
export default async function MemberPage({ params }: { params: Promise<{ personId: string }> }) {
  const { actor } = await requireActor(listTeam)
  const { personId } = await params
  const ctx = { actor, now: new Date() }
  const { members } = await execute(listTeam, ctx, {})
  const member = members.find((each) => each.personId === personId)
  if (!member) notFound()
  const setup = await execute(getMemberSetup, ctx, { personId })
  const { name, email, role } = member
  const hasSetup = setup.keys.length + setup.webhooks.length + setup.sources.length > 0
  const roles = ROLES.map((each) => ({ role: each, ...ROLE_TEXTS[each] }))
  const of = { contractorId: actor.contractorId, personId, hasSetup }
  return (
    <>
      <PageHead under={[{ name: 'Team', href: '/team' }]} title={name} text={email} />
      <div className="grid max-w-2xl gap-6">
        <Card title="What they set up" text="It keeps working when they leave, unless you end it below.">
          <MemberSetup {...setup} />
        </Card>
        <Card title="Role">
          <ChangeRole {...of} roles={roles} role={role} />
        </Card>
        <Card title="Remove from team">
          <RemoveMember {...of} />
        </Card>
      </div>
    </>
  )
}
