import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { type WebhookAttempt, webhookDeliveries, webhookEndpoints } from '../schema'

export type WebhookEndpoint = typeof webhookEndpoints.$inferSelect
export type NewWebhookDelivery = typeof webhookDeliveries.$inferInsert
export type WebhookDelivery = typeof webhookDeliveries.$inferSelect

const moment = (at: Date) => sql`${at.toISOString()}::timestamptz`

export async function insertEndpoint(orm: Orm, endpoint: typeof webhookEndpoints.$inferInsert): Promise<void> {
  await orm.insert(webhookEndpoints).values(endpoint)
}

/** Returns a contractor's endpoints, oldest first. */
export async function listEndpoints(orm: Orm, contractorId: string): Promise<WebhookEndpoint[]> {
  return await orm
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.contractorId, contractorId))
    .orderBy(webhookEndpoints.id)
}

const isTheirs = (contractorId: string, id: string) =>
  and(eq(webhookEndpoints.contractorId, contractorId), eq(webhookEndpoints.id, id))

/** Returns a contractor's endpoint; locked until the transaction ends when it is to be changed. */
export async function findEndpoint(
  orm: Orm,
  contractorId: string,
  id: string,
  lock = false,
): Promise<WebhookEndpoint | undefined> {
  const query = orm.select().from(webhookEndpoints).where(isTheirs(contractorId, id))
  const [found] = await (lock ? query.for('update') : query)
  return found
}

export async function changeEndpoint(
  orm: Orm,
  contractorId: string,
  id: string,
  changes: Partial<WebhookEndpoint>,
): Promise<void> {
  // Pausing what is paused changes nothing, and an update needs something to set.
  if (Object.keys(changes).length === 0) return
  await orm.update(webhookEndpoints).set(changes).where(isTheirs(contractorId, id))
}

/** Deletes an endpoint with its deliveries; false when there is none. */
export async function deleteEndpoint(orm: Orm, contractorId: string, id: string): Promise<boolean> {
  const gone = await orm
    .delete(webhookEndpoints)
    .where(isTheirs(contractorId, id))
    .returning({ id: webhookEndpoints.id })
  return gone.length > 0
}

/** Returns all endpoints that take events now, of every contractor. */
export async function activeEndpoints(orm: Orm): Promise<WebhookEndpoint[]> {
  return await orm.select().from(webhookEndpoints).where(eq(webhookEndpoints.state, 'active'))
}

/** Reports whether any endpoint takes events now. */
export async function hasActiveEndpoint(orm: Orm): Promise<boolean> {
  const { id, state } = webhookEndpoints
  return (await orm.select({ id }).from(webhookEndpoints).where(eq(state, 'active')).limit(1)).length > 0
}

/** Locks an endpoint unless another process has it; undefined then, and when it is gone. */
export async function lockEndpoint(orm: Orm, id: string): Promise<WebhookEndpoint | undefined> {
  const [found] = await orm
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, id))
    .for('update', { skipLocked: true })
  return found
}

/** Reports whether an endpoint has at least `most` events waiting. */
export async function hasWaiting(orm: Orm, endpointId: string, most: number): Promise<boolean> {
  const [row] = await rows<{ full: boolean }>(
    orm,
    sql`select count(*) >= ${most}::int as full from (
      select from webhook_deliveries where endpoint_id = ${endpointId} and state = 'pending' limit ${most}::int) d`,
  )
  return row?.full === true
}

/** Adds events for an endpoint, each position once; repetitions as often as asked. */
export async function addDeliveries(orm: Orm, deliveries: NewWebhookDelivery[]): Promise<void> {
  if (deliveries.length > 0) await orm.insert(webhookDeliveries).values(deliveries).onConflictDoNothing()
}

/** Forgets what waits of types that an endpoint no longer takes; what a person sent as a test stays. */
export async function dropWaiting(orm: Orm, endpointId: string, types: string[]): Promise<void> {
  await orm.execute(sql`delete from webhook_deliveries where endpoint_id = ${endpointId} and state = 'pending'
    and type <> 'webhook.test' and type <> all(${sql.param(types)}::text[])`)
}

/** A delivery to make, with what its endpoint says about it. */
export type ClaimedDelivery = Pick<
  WebhookDelivery,
  'id' | 'endpointId' | 'contractorId' | 'messageId' | 'body' | 'attempts' | 'createdAt'
> &
  Pick<WebhookEndpoint, 'url' | 'secret' | 'previousSecret' | 'previousUntil'>

/** The limits on deliveries under way, and the deliveries under way: endpoints that take no more now, and the number of each contractor. */
export type Room = {
  most: { ofEndpoint: number; ofContractor: number; inAll: number }
  busy: { endpoints: string[]; contractors: ReadonlyMap<string, number> }
}

/**
 * Takes deliveries that are due: contractors have turns, and a contractor's endpoints have turns within its own, those that wait longest
 * first. Of one record only the earliest that waits is ever taken, so its events arrive in order. Nobody else takes them until `until`, which is
 * when a process that dies with them gives them up.
 */
export async function claimDeliveries(
  orm: Orm,
  { now, until, most, busy }: Room & { now: Date; until: Date },
): Promise<ClaimedDelivery[]> {
  const under = JSON.stringify(Object.fromEntries(busy.contractors))
  const taken = await rows<ClaimedDelivery & { createdAt: string; previousUntil: string | null }>(
    orm,
    sql`with due as materialized (
        select w.seq from (
          select d.seq, d.next_at, coalesce((${under}::jsonb ->> e.contractor_id)::int, 0)
            + row_number() over (partition by e.contractor_id order by d.turn, d.next_at, d.seq) as turn
          from webhook_endpoints e cross join lateral (
            select f.seq, f.next_at, row_number() over (order by f.next_at, f.seq) as turn from (
              select d.seq, d.next_at from webhook_deliveries d
              where d.endpoint_id = e.id and d.state = 'pending' and d.next_at <= ${moment(now)}
                and not exists (select from webhook_deliveries b where b.endpoint_id = d.endpoint_id and b.resource = d.resource
                  and b.record_id = d.record_id and b.state = 'pending' and b.seq < d.seq)
              order by d.next_at, d.seq limit ${most.ofEndpoint}::int for update skip locked) f) d
          where e.state = 'active' and e.next_at <= ${moment(now)} and e.id <> all(${sql.param(busy.endpoints)}::text[])) w
        where w.turn <= ${most.ofContractor}::int order by w.turn, w.next_at, w.seq limit ${most.inAll}::int),
      taken as (
        update webhook_deliveries d set attempts = d.attempts + 1, next_at = ${moment(until)}
        where d.seq in (select seq from due) and d.state = 'pending' and d.next_at <= ${moment(now)} returning d.*)
      select t.id, t.endpoint_id as "endpointId", t.contractor_id as "contractorId", t.message_id as "messageId", t.body, t.attempts,
        to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt", e.url, e.secret,
        e.previous_secret as "previousSecret",
        to_char(e.previous_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "previousUntil"
      from taken t join webhook_endpoints e on e.id = t.endpoint_id order by t.seq`,
  )
  return taken.map((each) => ({
    ...each,
    createdAt: new Date(each.createdAt),
    previousUntil: each.previousUntil === null ? null : new Date(each.previousUntil),
  }))
}

/** Returns the time at which the next event of some endpoints is due; undefined when none waits, or all are paused. */
export async function nextAttempt(orm: Orm, endpointIds: string[]): Promise<Date | undefined> {
  const [next] = await rows<{ at: string | null }>(
    orm,
    sql`select to_char(min(greatest(d.next_at, e.next_at)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from webhook_endpoints e cross join lateral (select next_at from webhook_deliveries d
        where d.endpoint_id = e.id and d.state = 'pending' order by next_at limit 1) d
      where e.id = any(${sql.param(endpointIds)}::text[]) and e.state = 'active'`,
  )
  return next?.at ? new Date(next.at) : undefined
}

/**
 * Adds an attempt to a delivery's log, and what follows from it: that it failed only while nobody else has taken the delivery since, so
 * that what has arrived meanwhile does not wait again, behind later events of its record.
 * @returns whether it followed
 */
export async function noteAttempt(
  orm: Orm,
  { id, attempts }: Pick<WebhookDelivery, 'id' | 'attempts'>,
  attempt: WebhookAttempt,
  after: Pick<WebhookDelivery, 'state' | 'nextAt' | 'endedAt' | 'status' | 'response'>,
): Promise<boolean> {
  const tried = sql`tried || ${JSON.stringify([attempt])}::jsonb`
  const isThis = eq(webhookDeliveries.id, id)
  const isOurs = and(isThis, eq(webhookDeliveries.state, 'pending'), eq(webhookDeliveries.attempts, attempts))
  const noted = await orm
    .update(webhookDeliveries)
    .set({ ...after, tried })
    .where(after.state === 'delivered' ? isThis : isOurs)
    .returning({ id: webhookDeliveries.id })
  if (noted.length === 0) await orm.update(webhookDeliveries).set({ tried }).where(isThis)
  return noted.length > 0
}

/** A page of an endpoint's deliveries, the latest first; `before` is the `seq` of the last one of the page before. */
export async function listDeliveries(
  orm: Orm,
  {
    contractorId,
    endpointId,
    state,
    before,
    limit,
  }: {
    contractorId: string
    endpointId: string
    state?: WebhookDelivery['state'] | undefined
    before?: number | undefined
    limit: number
  },
): Promise<WebhookDelivery[]> {
  return await orm
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.contractorId, contractorId),
        eq(webhookDeliveries.endpointId, endpointId),
        state === undefined ? undefined : eq(webhookDeliveries.state, state),
        before === undefined ? undefined : lt(webhookDeliveries.seq, before),
      ),
    )
    .orderBy(desc(webhookDeliveries.seq))
    .limit(limit)
}

export async function findDelivery(orm: Orm, contractorId: string, id: string): Promise<WebhookDelivery | undefined> {
  const [found] = await orm
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.contractorId, contractorId), eq(webhookDeliveries.id, id)))
  return found
}

/** Counts the waiting deliveries of each endpoint, at most `most` of each. */
export async function countWaiting(orm: Orm, contractorId: string, most: number): Promise<Map<string, number>> {
  const found = await rows<{ id: string; n: number }>(
    orm,
    sql`select e.id, (select count(*)::int from (select from webhook_deliveries d
        where d.endpoint_id = e.id and d.state = 'pending' limit ${most}::int) d) as n
      from webhook_endpoints e where e.contractor_id = ${contractorId}`,
  )
  return new Map(found.map(({ id, n }) => [id, n]))
}
