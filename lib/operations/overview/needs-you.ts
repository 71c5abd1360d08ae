import * as z from 'zod'
import type { Orm } from '@/db/client'
import { dueFollowUps } from '@/db/queries/entries'
import {
  countWaiting,
  endingKeys,
  failingWebhooks,
  heldLoads,
  refusedLeads,
  type WaitingCounted,
  type WaitingKind,
} from '@/db/queries/needs-you'
import { firstIdAt } from '@/lib/core/ids'
import { dayIn } from '@/lib/core/time'
import { DRAFT_LIMITS } from '@/lib/load/draft-limits'
import { mayRun } from '../access'
import type { AnyOperation, Context } from '../define'

const DAY_MS = 86_400_000
/** The days back in which refused leads and follow-ups that were due are told, and those ahead in which keys end. */
const REFUSED_DAYS = 30
const DUE_DAYS = 90
const SOON_DAYS = 14
/** The most that are counted of a kind, and shown one by one. */
export const MOST_COUNTED = 100
const MOST_SHOWN = 5
const LIMITS = { most: MOST_COUNTED, shown: MOST_SHOWN }

/** A kind of things that wait for a person. */
export const NeedsYou = z.object({
  kind: z.enum(['refused_leads', 'follow_ups', 'failing_webhooks', 'held_loads', 'ending_keys']),
  count: z.int().describe(`At most ${MOST_COUNTED}: then there may be more`),
  path: z.string().describe('The page that has them all'),
  items: z
    .array(
      z.object({
        title: z.string(),
        path: z.string(),
        at: z
          .string()
          .describe(
            'When it came, began to fail or ends (ISO 8601); of a follow-up its day in the contractor’s calendar',
          ),
      }),
    )
    .describe(`The first ${MOST_SHOWN}`),
})
type NeedsYou = z.output<typeof NeedsYou>

type Told = Pick<NeedsYou, 'path'> & { pathOf: (id: string) => string }

const told = (kind: NeedsYou['kind'], { path, pathOf }: Told, { count, items }: WaitingCounted): NeedsYou => ({
  kind,
  path,
  count,
  items: items.map(({ id, title, at }) => ({ title, at, path: pathOf(id) })),
})

type Kind = Exclude<NeedsYou['kind'], 'follow_ups'>

const PAGES: Record<Kind, Told> = {
  refused_leads: { path: '/leads?outcome=refused', pathOf: (id) => `/leads/${id}` },
  failing_webhooks: { path: '/outgoing', pathOf: (id) => `/outgoing/${id}` },
  held_loads: { path: '/data/load', pathOf: (id) => `/data/load?${new URLSearchParams({ draft: id })}` },
  ending_keys: { path: '/keys', pathOf: (id) => `/keys#${id}` },
}

/**
 * The access of the operation that a kind's page is made of, by kind. It is said again here, because the frame of every page asks, and
 * those operations bring all that reads leads and files.
 */
export const ACCESS: Record<Kind, AnyOperation['access']> = {
  refused_leads: 'developer',
  failing_webhooks: 'write:webhooks',
  held_loads: 'admin',
  ending_keys: 'admin',
}

/** Returns the kinds that somebody may do something about, with the statement that finds what waits, the most urgent first. */
export function waitingKinds({ actor, now }: Context): (readonly [Kind, WaitingKind])[] {
  const { contractorId } = actor
  const before = (ms: number) => new Date(now.getTime() - ms)
  const refused = { contractorId, since: firstIdAt('delivery', before(REFUSED_DAYS * DAY_MS)) }
  const held = { contractorId, since: before(DRAFT_LIMITS.people.ms), sources: before(DRAFT_LIMITS.sources.ms) }
  const ending = { contractorId, now, before: before(-SOON_DAYS * DAY_MS) }
  const all = [
    ['refused_leads', refusedLeads(refused)],
    ['failing_webhooks', failingWebhooks({ contractorId })],
    ['held_loads', heldLoads(held)],
    ['ending_keys', endingKeys(ending)],
  ] as const
  return all.filter(([kind]) => mayRun({ name: kind, access: ACCESS[kind] }, actor))
}

async function followUps(orm: Orm, { actor, now }: Context, zone: string): Promise<NeedsYou> {
  const days = {
    contractorId: actor.contractorId,
    from: dayIn(zone, new Date(now.getTime() - DUE_DAYS * DAY_MS)),
    to: dayIn(zone, now),
  }
  const { total, items } = await dueFollowUps(orm, days, LIMITS)
  const waiting = items.map(({ projectId, customer, text, on }) => ({
    id: projectId,
    title: text ? `${customer}: ${text}` : customer,
    at: on,
  }))
  const page = { path: '/leads', pathOf: (id: string) => `/projects/${id}` }
  return told('follow_ups', page, { count: total, items: waiting })
}

/** Lists what waits for a person, as far as they may do something about it. */
export async function needsYou(orm: Orm, ctx: Context, zone: string): Promise<NeedsYou[]> {
  const { scopes } = ctx.actor
  const found: NeedsYou[] = []
  for (const [kind, statement] of waitingKinds(ctx))
    found.push(told(kind, PAGES[kind], await countWaiting(orm, statement, LIMITS)))
  if (scopes.has('read:projects') && scopes.has('read:customers')) {
    const after = found.findIndex(({ kind }) => kind === 'refused_leads') + 1
    found.splice(after, 0, await followUps(orm, ctx, zone))
  }
  return found.filter(({ count }) => count > 0)
}
