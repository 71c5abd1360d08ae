import { sql } from 'drizzle-orm'
import type { Shares } from '@/lib/core/parts'
import { type Database, type Orm, rows } from '../client'

/** The days for which the request log has partitions ahead, so that it keeps them while nothing runs by the clock for a week. */
const DAYS_AHEAD = 8

/** Adds the partitions of the request log of a day and those that follow it, as far as they are missing. Returns how many it added. */
export async function addRequestDays(orm: Orm, from: Date): Promise<number> {
  const [added] = await rows<{ n: number }>(
    orm,
    sql`select add_request_days(${from.toISOString().slice(0, 10)}::date, ${DAYS_AHEAD}::int) as n`,
  )
  return added?.n ?? 0
}

/** Counts the partitions of the request log whose requests are all before a request's id. */
export async function countExpiredDays(orm: Orm, firstRequest: string): Promise<number> {
  const [found] = await rows<{ n: number }>(
    orm,
    sql`select count(*)::int as n from expired_request_days(${firstRequest}::uuid)`,
  )
  return found?.n ?? 0
}

/** Drops those partitions. Returns how many. @throws when a statement that reads the log keeps it waiting */
export async function dropExpiredDays(orm: Orm, firstRequest: string): Promise<number> {
  const [dropped] = await rows<{ n: number }>(orm, sql`select drop_request_days(${firstRequest}::uuid) as n`)
  return dropped?.n ?? 0
}

/** The records related to a logged request: its key with the person who created it, and its delivery to the lead webhook. */
export type RequestLinks = {
  key: { name: string; last4: string; madeBy: string | null } | null
  delivery: { id: string; outcome: string; name: string | null } | null
}

/**
 * Returns the records related to a request. The audit log says who created the first key of a chain of rotations; an explorer key names
 * its person itself.
 */
export async function findRequestLinks(
  orm: Orm,
  { contractorId, requestId, keyId }: { contractorId: string; requestId: string; keyId: string | null },
): Promise<RequestLinks> {
  const [found] = await rows<RequestLinks>(
    orm,
    sql`select
      (select json_build_object('name', k.name, 'last4', k.last4, 'madeBy', coalesce(
          (select p.name || ' <' || p.email || '>' from people p where p.id = k.issued_to),
          (select a.actor_name from audit_events a where a.subject = coalesce(k.lineage, k.id) and a.event = 'key_created'
            and a.contractor_id = k.contractor_id order by a.id limit 1)))
        from api_keys k where k.id = ${keyId} and k.contractor_id = ${contractorId}) as key,
      (select json_build_object('id', d.id, 'outcome', d.outcome, 'name', d.lead_name) from lead_deliveries d
        where d.contractor_id = ${contractorId} and d.request_id = ${requestId} and d.replay_of is null
        order by d.id limit 1) as delivery`,
  )
  return found ?? { key: null, delivery: null }
}

/** The fields requests may share. An undefined field becomes null in the row and is omitted from the JSON sent to Postgres. */
export type RequestKind = {
  contractor_id: string | undefined
  key_id: string | undefined
  /** The SHA-256 of the secret when the key was not looked up. The database uses it to find the key. */
  secret_hash: string | undefined
  method: string
  path: string
  query: string | undefined
  endpoint: string
  mcp_method: string | undefined
  status: number
  error_code: string | undefined
  error_message: string | undefined
  error_fields: string[] | undefined
  address: string
  user_agent: string | undefined
  /** Where the time of a slow request went. */
  timing: Shares | undefined
  /** The number of requests a line of this kind stands for when they are only counted; undefined for requests that get rows of their own. */
  counted: number | undefined
}

/** A request to be logged: what is its own, and the place of its kind. */
export type RequestLine = {
  id: string
  /** Epoch milliseconds. */
  at: number
  duration_ms: number
  kind: number
}

/** Requests to be logged. Most requests of a batch are alike, so what they have in common is sent and read once. */
export type RequestBatch = { kinds: RequestKind[]; lines: RequestLine[] }

// One statement, so that rows, sums and last uses always agree. Rows that several processes may update are locked in one order,
// which prevents deadlocks.
const WRITE = {
  name: 'plumbline_write_requests_with_timing',
  text: `with kinds as materialized (
    select r.kind, coalesce(r.contractor_id, k.contractor_id) as contractor_id, coalesce(r.key_id, k.id) as key_id, r.method, r.path, r.query, r.endpoint,
      r.mcp_method, r.status, r.error_code, r.error_message, r.error_fields, r.address, r.user_agent, r.timing, r.counted is null as kept, coalesce(r.counted, 1) as requests
    from json_to_recordset($1::text::json) as r(kind int, contractor_id text, key_id text, secret_hash text, method text, path text, query text, endpoint text,
      mcp_method text, status smallint, error_code text, error_message text, error_fields text[], address text, user_agent text, timing jsonb, counted int)
    left join api_keys k on k.secret_hash = r.secret_hash
  ), incoming as materialized (
    select l.id, to_timestamp(l.at / 1000.0) as at, l.duration_ms, l.kind
    from unnest($2::text::uuid[], $3::text::float8[], $4::text::float8[], $5::text::int[]) as l(id, at, duration_ms, kind)
  ), written as (
    insert into request_log (id, at, contractor_id, key_id, method, path, query, endpoint, mcp_method, status, error_code, error_message,
      error_fields, address, duration_ms, user_agent, timing)
    select id, at, contractor_id, key_id, method, path, query, endpoint, mcp_method, status, error_code, error_message, error_fields, address,
      duration_ms, user_agent, timing from incoming join kinds using (kind) where kept
  ), totals as materialized (
    select kind, date_trunc('hour', at) as hour, max(at) as at, count(*) as lines, sum(duration_ms) as duration_ms from incoming group by 1, 2
  ), used as (
    insert into key_addresses as a (contractor_id, key_id, address, requests, used_at, refused_at)
    select contractor_id, key_id, address, sum(lines * requests), max(at) filter (where status <> 401), max(at) filter (where status = 401)
    from totals join kinds using (kind) where key_id is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict (contractor_id, key_id, address) do update set requests = a.requests + excluded.requests,
      used_at = greatest(a.used_at, excluded.used_at), refused_at = greatest(a.refused_at, excluded.refused_at)
  )
  insert into request_sums as s (contractor_id, hour, key_id, endpoint, face, status_class, requests, errors, limited, duration_ms)
  select coalesce(contractor_id, ''), hour, coalesce(key_id, ''), endpoint,
    case when path = '/mcp' or starts_with(path, '/mcp/') then 'mcp' else 'api' end, case when error_code in ('internal', 'busy') then 5 else status / 100 end,
    sum(lines * requests), coalesce(sum(lines * requests) filter (where status >= 400 or error_code is not null), 0),
    coalesce(sum(lines * requests) filter (where status = 429 or error_code = 'rate_limited'), 0), sum(duration_ms * requests)
  from totals join kinds using (kind) group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (contractor_id, hour, key_id, endpoint, face, status_class) do update set requests = s.requests + excluded.requests,
    errors = s.errors + excluded.errors, limited = s.limited + excluded.limited, duration_ms = s.duration_ms + excluded.duration_ms`,
}

/** An array of uuids or numbers as Postgres reads it; they need no quotation marks. */
const arrayOf = (values: (string | number)[]): string => `{${values.join(',')}}`

/** Logs requests, adds them to the sums and updates the addresses their keys were used from, all or none. */
export async function writeRequests(db: Database, { kinds, lines }: RequestBatch): Promise<void> {
  await db.run(WRITE, [
    JSON.stringify(kinds.map((kind, i) => ({ kind: i, ...kind }))),
    arrayOf(lines.map(({ id }) => id)),
    arrayOf(lines.map(({ at }) => at)),
    arrayOf(lines.map(({ duration_ms }) => duration_ms)),
    arrayOf(lines.map(({ kind }) => kind)),
  ])
}
