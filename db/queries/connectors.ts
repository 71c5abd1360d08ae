import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { connectorAttempts, connectors } from '../schema'

export type Connection = typeof connectors.$inferSelect

/** The key of a connection: a contractor's, to one software. */
export type ConnectionKey = { contractorId: string; connector: string }

const isThat = ({ contractorId, connector }: ConnectionKey) =>
  and(eq(connectors.contractorId, contractorId), eq(connectors.connector, connector))

export async function findConnection(orm: Orm, key: ConnectionKey): Promise<Connection | undefined> {
  const [found] = await orm.select().from(connectors).where(isThat(key))
  return found
}

/** Stores a connection that a person made, in place of the one before. */
export async function putConnection(orm: Orm, connection: typeof connectors.$inferInsert): Promise<void> {
  await orm
    .insert(connectors)
    .values(connection)
    .onConflictDoUpdate({ target: [connectors.contractorId, connectors.connector], set: connection })
}

/**
 * Changes a connection.
 * @param lease only while this run has it
 * @returns whether it was changed
 */
export async function changeConnection(
  orm: Orm,
  key: ConnectionKey,
  changes: Partial<Connection>,
  lease?: string,
): Promise<boolean> {
  const changed = await orm
    .update(connectors)
    .set(changes)
    .where(and(isThat(key), lease === undefined ? undefined : eq(connectors.leaseId, lease)))
    .returning({ id: connectors.connector })
  return changed.length > 0
}

/**
 * Takes a connection that is due and that no run has, the longest due first. It is due again when the lease is over, so that another process
 * goes on where this one died, and earlier where a webhook comes meanwhile.
 */
export async function claimDueConnection(
  orm: Orm,
  { now, lease, until }: { now: Date; lease: string; until: Date },
): Promise<ConnectionKey | undefined> {
  const [found] = await rows<ConnectionKey>(
    orm,
    sql`update connectors set lease_id = ${lease}, lease_until = ${until.toISOString()}::timestamptz,
          next_at = ${until.toISOString()}::timestamptz
      where (contractor_id, connector) in (select contractor_id, connector from connectors
        where state = 'connected' and next_at <= ${now.toISOString()}::timestamptz
          and (lease_until is null or lease_until < ${now.toISOString()}::timestamptz)
        order by next_at limit 1 for update skip locked)
      returning contractor_id as "contractorId", connector`,
  )
  return found
}

/** Renews a run's lease. @returns whether it still has it */
export const renewLease = (orm: Orm, key: ConnectionKey, lease: string, until: Date): Promise<boolean> =>
  changeConnection(orm, key, { leaseUntil: until }, lease)

/** Takes the right to renew a connection's tokens, which one process has at a time. @returns whether it was free */
export async function claimTokenRefresh(orm: Orm, key: ConnectionKey, now: Date, until: Date): Promise<boolean> {
  const taken = await orm
    .update(connectors)
    .set({ refreshingUntil: until })
    .where(and(isThat(key), or(isNull(connectors.refreshingUntil), lt(connectors.refreshingUntil, now))))
    .returning({ id: connectors.connector })
  return taken.length > 0
}

/** Changes a connection's tokens, unless others were stored meanwhile. @returns whether they were changed */
export async function storeTokens(
  orm: Orm,
  key: ConnectionKey,
  version: number,
  tokens: Partial<Connection>,
): Promise<boolean> {
  const stored = await orm
    .update(connectors)
    .set({ ...tokens, tokenVersion: version + 1, refreshingUntil: null })
    .where(and(isThat(key), eq(connectors.tokenVersion, version)))
    .returning({ id: connectors.connector })
  return stored.length > 0
}

/** Asks for a run of every connection to a company, soon; with `isWhole` of everything. @returns how many there are */
export async function wakeCompany(
  orm: Orm,
  { connector, company, at, isWhole }: { connector: string; company: string; at: Date; isWhole: boolean },
): Promise<number> {
  const soon = sql`greatest(${at.toISOString()}::timestamptz, throttled_until)`
  const woken = await rows(
    orm,
    sql`update connectors set next_at = least(next_at, ${soon}),
        since = case when ${isWhole} and mode = 'changes' then null else since end
      where connector = ${connector} and company = ${company} and state = 'connected' returning 1 as one`,
  )
  return woken.length
}

/** Removes and returns the attempt that somebody began to connect: once, and only in time. */
export async function consumeConnectAttempt(
  orm: Orm,
  hash: string,
  now: Date,
): Promise<typeof connectorAttempts.$inferSelect | undefined> {
  const [found] = await orm.delete(connectorAttempts).where(eq(connectorAttempts.hash, hash)).returning()
  return found && found.expiresAt > now ? found : undefined
}

export async function putAttempt(orm: Orm, attempt: typeof connectorAttempts.$inferInsert): Promise<void> {
  await orm.insert(connectorAttempts).values(attempt)
}
