import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../client'
import { mcpSessions } from '../schema'

/** How long a session lives unseen, and at most; how many a key may have. */
export const SESSION_IDLE_HOURS = 24
export const SESSION_DAYS = 7
export const SESSIONS_PER_KEY = 1_000

const ALIVE = `ended_at is null and seen_at > now() - interval '${SESSION_IDLE_HOURS} hours' and created_at > now() - interval '${SESSION_DAYS} days'`

export type NewSession = Pick<
  typeof mcpSessions.$inferInsert,
  'id' | 'contractorId' | 'keyLineage' | 'protocolVersion' | 'clientName'
>

/** What a request must know of its session. */
export type LiveSession = {
  contractorId: string
  keyLineage: string
  protocolVersion: string
  clientName: string | null
  isStale: boolean
}

/**
 * Opens a session. A key that has as many as it may loses those it has not used for longest; their clients are answered 404 and begin
 * again. One opening of a key at a time, so that beside each other they see each other's.
 */
export async function openSession(orm: Orm, session: NewSession): Promise<void> {
  await orm.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`mcp sessions ${session.keyLineage}`}, 0))`)
    await tx.execute(sql`delete from mcp_sessions where id in (
      select id from mcp_sessions where key_lineage = ${session.keyLineage} and ended_at is null
      order by seen_at desc, id offset ${SESSIONS_PER_KEY - 1})`)
    await tx.insert(mcpSessions).values(session)
  })
}

const FIND = {
  name: 'plumbline_find_session',
  text: `select contractor_id as "contractorId", key_lineage as "keyLineage", protocol_version as "protocolVersion", client_name as "clientName",
    seen_at < now() - interval '5 minutes' as "isStale" from mcp_sessions where id = $1 and ${ALIVE}`,
}

/** The session with this id unless it has ended or expired. */
export async function findSession(db: Database, id: string): Promise<LiveSession | undefined> {
  const [session] = await db.run<LiveSession>(FIND, [id])
  return session
}

const TOUCH = { name: 'plumbline_touch_session', text: 'update mcp_sessions set seen_at = now() where id = $1' }

/** Marks a session as seen; called every five minutes at most, so that reads stay reads. */
export const touchSession = (db: Database, id: string): Promise<unknown> => db.run(TOUCH, [id])

/** Ends a session. */
export async function endSession(orm: Orm, id: string): Promise<void> {
  await orm
    .update(mcpSessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(mcpSessions.id, id), isNull(mcpSessions.endedAt)))
}

/** Ends a lineage's sessions when none of its keys works any more. */
export async function endSessionsOfDeadLineage(orm: Orm, lineage: string): Promise<void> {
  await orm.execute(sql`update mcp_sessions set ended_at = now() where key_lineage = ${lineage} and ended_at is null
    and not exists (select 1 from api_keys where coalesce(lineage, id) = ${lineage} and revoked_at is null
      and (expires_at is null or expires_at > now()))`)
}

/** Sessions alive at this moment. */
export async function countActiveSessions(orm: Orm): Promise<number> {
  const [row] = await rows<{ n: number }>(orm, sql`select count(*)::int as n from mcp_sessions where ${sql.raw(ALIVE)}`)
  return row?.n ?? 0
}
