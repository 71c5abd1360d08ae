import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../client'
import { mcpQuestions, mcpSessions } from '../schema'
import type { FeedPlace } from './changes'

/** Notes that a session's client is asked something, so that any instance can take its answer. */
export async function openQuestion(orm: Orm, id: string, sessionId: string): Promise<void> {
  await orm.insert(mcpQuestions).values({ id, sessionId })
}

const ANSWER = {
  name: 'plumbline_answer_question',
  text: 'update mcp_questions set answer = $3::jsonb where id = $1 and session_id = $2 and answer is null',
}

/** Stores the answer to a question, as JSON text. Nothing happens when the session was not asked it, or has answered it already. */
export const answerQuestion = (db: Database, id: string, sessionId: string, json: string): Promise<unknown> =>
  db.run(ANSWER, [id, sessionId, json])

const LOOK = { name: 'plumbline_look_question', text: 'select answer from mcp_questions where id = $1' }

/** The answer to a question as far as it is known; null while it is not, undefined when the question is gone with its session. */
export async function answerTo(db: Database, id: string): Promise<unknown> {
  const [row] = await db.run<{ answer: unknown }>(LOOK, [id])
  return row?.answer
}

/** Forgets a question. */
export async function closeQuestion(orm: Orm, id: string): Promise<void> {
  await orm.delete(mcpQuestions).where(eq(mcpQuestions.id, id))
}

/** Limits of a session: hours without use, days in total, and sessions per key. */
export const SESSION_IDLE_HOURS = 24
export const SESSION_DAYS = 7
export const SESSIONS_PER_KEY = 1_000

const ALIVE = `ended_at is null and seen_at > now() - interval '${SESSION_IDLE_HOURS} hours' and created_at > now() - interval '${SESSION_DAYS} days'`

export type NewSession = Pick<
  typeof mcpSessions.$inferInsert,
  'id' | 'contractorId' | 'keyLineage' | 'protocolVersion' | 'clientName' | 'clientCapabilities'
>

/** The facts a request needs about its session. */
export type LiveSession = {
  contractorId: string
  keyLineage: string
  protocolVersion: string
  clientName: string | null
  clientCapabilities: unknown
  logLevel: string | null
  isStale: boolean
}

/**
 * Opens a session. A key at its limit loses its least recently used sessions, whose clients then get 404 and start over. A lock per
 * key serializes this, so that concurrent openings see each other's sessions.
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
  brief: true,
  text: `select contractor_id as "contractorId", key_lineage as "keyLineage", protocol_version as "protocolVersion", client_name as "clientName", client_capabilities as "clientCapabilities", log_level as "logLevel",
    seen_at < now() - interval '5 minutes' as "isStale" from mcp_sessions where id = $1 and ${ALIVE}`,
}

/** Returns the session with this id, unless it has ended or expired. */
export async function findSession(db: Database, id: string): Promise<LiveSession | undefined> {
  const [session] = await db.run<LiveSession>(FIND, [id])
  return session
}

const TOUCH = { name: 'plumbline_touch_session', text: 'update mcp_sessions set seen_at = now() where id = $1' }

/** Updates when a session was last seen. Called at most every five minutes, so that reads rarely write. */
export const touchSession = (db: Database, id: string): Promise<unknown> => db.run(TOUCH, [id])

const SET_LEVEL = { name: 'plumbline_session_log_level', text: 'update mcp_sessions set log_level = $2 where id = $1' }

/** Stores which log messages a session's client wants. */
export const setLogLevel = (db: Database, id: string, level: string): Promise<unknown> => db.run(SET_LEVEL, [id, level])

/** The URIs that a session's client wants to be told of, each with the place of the feed behind which it is. */
export type Subscriptions = Record<string, FeedPlace>

const SUBSCRIBE = {
  name: 'plumbline_session_subscribe',
  text: `update mcp_sessions set subscriptions = subscriptions || jsonb_build_object($2::text, $3::jsonb)
    where id = $1 and (subscriptions -> $2::text is not null or (select count(*) from jsonb_object_keys(subscriptions)) < $4::int)
    returning subscriptions`,
}

/** Adds a URI to those of a session. @returns them all; undefined where it has `most` already, or has ended */
export async function addSubscription(
  db: Database,
  id: string,
  { uri, since, most }: { uri: string; since: FeedPlace; most: number },
): Promise<Subscriptions | undefined> {
  const values = [id, uri, JSON.stringify(since), most]
  const [row] = await db.run<{ subscriptions: Subscriptions }>(SUBSCRIBE, values)
  return row?.subscriptions
}

const UNSUBSCRIBE = {
  name: 'plumbline_session_unsubscribe',
  text: 'update mcp_sessions set subscriptions = subscriptions - $2::text where id = $1 returning subscriptions',
}

/** Takes a URI from those of a session. @returns those that are left */
export async function removeSubscription(db: Database, id: string, uri: string): Promise<Subscriptions | undefined> {
  const [row] = await db.run<{ subscriptions: Subscriptions }>(UNSUBSCRIBE, [id, uri])
  return row?.subscriptions
}

const OPEN_STREAM = {
  name: 'plumbline_session_stream',
  text: 'update mcp_sessions set stream_id = $2 where id = $1 returning subscriptions',
}

/** Notes the newest stream of a session, so that older ones end on every instance. @returns what it tells of */
export async function openSessionStream(db: Database, id: string, streamId: string): Promise<Subscriptions> {
  const [row] = await db.run<{ subscriptions: Subscriptions }>(OPEN_STREAM, [id, streamId])
  return row?.subscriptions ?? {}
}

const STREAMS = {
  name: 'plumbline_session_streams',
  text: `select id, stream_id as "streamId", hashtextextended(subscriptions::text, 0)::text as version from mcp_sessions
    where id in (select jsonb_array_elements_text($1::jsonb)) and ${ALIVE}`,
}

/** A session with its newest stream; `version` changes with what it subscribed to. */
export type StreamedSession = { id: string; streamId: string | null; version: string }

/** Returns the sessions with a stream that are alive: one statement for all, which reads no URIs, as they seldom change. */
export const streamedSessions = (db: Database, ids: string[]): Promise<StreamedSession[]> =>
  db.run(STREAMS, [JSON.stringify(ids)])

const SUBSCRIPTIONS = {
  name: 'plumbline_session_subscriptions',
  text: 'select subscriptions from mcp_sessions where id = $1',
}

/** Returns what a session subscribed to; undefined where it is gone. */
export async function sessionSubscriptions(db: Database, id: string): Promise<Subscriptions | undefined> {
  const [row] = await db.run<{ subscriptions: Subscriptions }>(SUBSCRIPTIONS, [id])
  return row?.subscriptions
}

/** Ends a session. */
export async function endSession(orm: Orm, id: string): Promise<void> {
  await orm
    .update(mcpSessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(mcpSessions.id, id), isNull(mcpSessions.endedAt)))
}

/** Ends a lineage's sessions once none of its keys works. */
export async function endSessionsOfDeadLineage(orm: Orm, lineage: string): Promise<void> {
  await orm.execute(sql`update mcp_sessions set ended_at = now() where key_lineage = ${lineage} and ended_at is null
    and not exists (select 1 from api_keys where coalesce(lineage, id) = ${lineage} and revoked_at is null
      and (expires_at is null or expires_at > now()))`)
}

/** Counts the sessions that are currently alive. */
export async function countActiveSessions(orm: Orm): Promise<number> {
  const [row] = await rows<{ n: number }>(orm, sql`select count(*)::int as n from mcp_sessions where ${sql.raw(ALIVE)}`)
  return row?.n ?? 0
}
