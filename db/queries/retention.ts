import { type SQL, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { SESSION_DAYS, SESSION_IDLE_HOURS } from './mcp-sessions'

/** What the names of the explorer's keys begin with: they are told by it and by their short life. */
export const EXPLORER_KEY_PREFIX = 'Explorer, '

/** From when on things are kept: requests and what is counted of them, refused sign-ins, and deliveries to the lead webhook. */
export type Bounds = {
  now: Date
  requestsFrom: Date
  refusedSignInsFrom: Date
  /** The first request id (UUID) and the first delivery id of those moments: both begin with their time. */
  firstRequest: string
  firstDelivery: string
}

const moment = (at: Date) => sql`${at.toISOString()}::timestamptz`

/** Everything that is kept for a time only: its table, and which of its rows (`t`) have had theirs. */
const EXPIRED = {
  requests: { table: 'request_log', where: ({ firstRequest }) => sql`t.id < ${firstRequest}::uuid` },
  requestSums: { table: 'request_sums', where: ({ requestsFrom }) => sql`t.hour < ${moment(requestsFrom)}` },
  // Where a key was last let in stays known for good.
  keyAddresses: {
    table: 'key_addresses',
    where: ({ requestsFrom }) => sql`greatest(t.used_at, t.refused_at) < ${moment(requestsFrom)} and (t.used_at is null
      or exists (select 1 from key_addresses b
        where b.contractor_id = t.contractor_id and b.key_id = t.key_id and b.used_at > t.used_at))`,
  },
  leadDeliveries: { table: 'lead_deliveries', where: ({ firstDelivery }) => sql`t.id < ${firstDelivery}` },
  // Those of which none can be alive again: ended, unseen for too long, or older than one may become.
  mcpSessions: {
    table: 'mcp_sessions',
    where: ({ now }) => sql`(t.ended_at is not null
      or t.seen_at < ${moment(now)} - interval '${sql.raw(String(SESSION_IDLE_HOURS))} hours'
      or t.created_at < ${moment(now)} - interval '${sql.raw(String(SESSION_DAYS))} days')`,
  },
  signInSessions: { table: 'person_sessions', where: ({ now }) => sql`t.expires_at < ${moment(now)}` },
  refusedSignIns: {
    table: 'audit_events',
    where: ({ refusedSignInsFrom }) => sql`t.event = 'sign_in_refused' and t.at < ${moment(refusedSignInsFrom)}`,
  },
  signInSteps: { table: 'person_verifications', where: ({ now }) => sql`t.expires_at < ${moment(now)}` },
  // As long as the request log may name one it stays, so that the log can say whose it was.
  explorerKeys: {
    table: 'api_keys',
    where: ({
      requestsFrom,
    }) => sql`t.expires_at < ${moment(requestsFrom)} and starts_with(t.name, ${EXPLORER_KEY_PREFIX})
      and t.expires_at - t.created_at < interval '2 hours' and t.rotated_from is null
      and not exists (select 1 from api_keys s where s.lineage = t.id)`,
  },
  // A record is rewritten once, however often it changed: the last change of each stays.
  searchQueue: {
    table: 'search_queue',
    where: () => sql`exists (select 1 from search_queue l
      where l.owner = t.owner and l.kind = t.kind and l.reference = t.reference and l.id > t.id)`,
  },
} as const satisfies Record<string, { table: string; where: (bounds: Bounds) => SQL }>

export type ExpiredKind = keyof typeof EXPIRED

const isKind = (name: string): name is ExpiredKind => Object.hasOwn(EXPIRED, name)

/** The kinds of things that are kept for a time only. */
export const EXPIRED_KINDS: readonly ExpiredKind[] = Object.keys(EXPIRED).filter(isKind)

/** How many of a kind have had their time. */
export async function countExpired(orm: Orm, kind: ExpiredKind, bounds: Bounds): Promise<number> {
  const { table, where } = EXPIRED[kind]
  const [found] = await rows<{ n: number }>(
    orm,
    sql`select count(*)::int as n from ${sql.raw(table)} t where ${where(bounds)}`,
  )
  return found?.n ?? 0
}

/** Removes at most so many of a kind that have had their time; answers how many. What another process removes is left to it. */
export async function removeExpired(orm: Orm, kind: ExpiredKind, bounds: Bounds, most: number): Promise<number> {
  const { table, where } = EXPIRED[kind]
  const [removed] = await rows<{ n: number }>(
    orm,
    sql`with gone as (delete from ${sql.raw(table)} where ctid = any(array(
        select t.ctid from ${sql.raw(table)} t where ${where(bounds)} limit ${most} for update of t skip locked)) returning 1)
      select count(*)::int as n from gone`,
  )
  return removed?.n ?? 0
}
