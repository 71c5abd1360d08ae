import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type * as z from 'zod'
import { requireActor } from '@/app/session/actor'
import { Time } from '@/app/session/time'
import { Card, PageHead } from '@/app/ui/card'
import { ROLE_TEXTS } from '@/lib/auth/roles'
import { ROLES } from '@/lib/core/roles'
import { execute } from '@/lib/operations/execute'
import { listTeam } from '@/lib/operations/team/list-team'
import { getMemberSetup } from '@/lib/operations/team/member-setup'
import { ChangeRole, RemoveMember } from '../member.client'

type Item = { id: string; href: string; name: string; about: React.ReactNode }

function Items({ title, items }: { title: string; items: Item[] }) {
  if (items.length === 0) return null
  return (
    <div>
      <h3 className="font-semibold">{title}</h3>
      <ul className="grid gap-1">
        {items.map(({ id, href, name, about }) => (
          <li key={id} className="wrap-anywhere">
            <a href={href} className="underline">
              {name}
            </a>{' '}
            <span className="text-sm text-quiet">{about}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The keys, webhooks, sources and books that a member set up. */
function MemberSetup({ keys, webhooks, sources, books }: z.output<(typeof getMemberSetup)['output']>) {
  if (keys.length + webhooks.length + sources.length + books.length === 0)
    return <p className="text-quiet">Nothing that still works.</p>
  return (
    <div className="grid gap-3">
      <Items
        title="Keys"
        items={keys.map(({ id, name, masked, expiresAt }) => ({
          id,
          href: '/keys',
          name,
          about: (
            <>
              <span className="font-mono">{masked}</span>,{' '}
              {expiresAt ? (
                <>
                  expires <Time at={expiresAt} />
                </>
              ) : (
                'never expires'
              )}
            </>
          ),
        }))}
      />
      <Items
        title="Webhooks"
        items={webhooks.map(({ id, host }) => ({ id, href: `/outgoing/${id}`, name: host, about: '' }))}
      />
      <Items
        title="Sources"
        items={sources.map(({ id, name }) => ({ id, href: `/data/sources/${id}`, name, about: '' }))}
      />
      <Items
        title="Connected books"
        items={books.map(({ title, company }) => ({
          id: title,
          href: '/data/quickbooks',
          name: title,
          about: `${company ?? ''} Stays connected; disconnect it on its own page.`.trim(),
        }))}
      />
    </div>
  )
}

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
