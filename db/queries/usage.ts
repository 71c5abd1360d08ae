import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

export type UsageQuery = {
  contractorId: string
  /** ISO timestamps, whole hours. */
  from: string
  to: string
  by: 'hour' | 'day'
  keyId?: string | undefined
}

export type UsageCounts = { requests: number; errors: number; limited: number }
export type UsageByTime = UsageCounts & { at: string }
export type UsageByEndpoint = UsageCounts & { endpoint: string; face: 'api' | 'mcp'; meanMs: number }

const COUNTS = sql`coalesce(sum(requests), 0)::float8 as requests, coalesce(sum(errors), 0)::float8 as errors,
  coalesce(sum(limited), 0)::float8 as limited`
const ISO = sql`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

const among = ({ contractorId, from, to, keyId }: UsageQuery) =>
  sql`contractor_id = ${contractorId} and hour >= ${from}::timestamptz and hour < ${to}::timestamptz
    ${keyId === undefined ? sql`` : sql`and key_id = ${keyId}`}`

/** Returns requests, errors and rate-limited requests per hour or day (UTC), oldest first, including empty periods. */
export async function usageByTime(orm: Orm, query: UsageQuery): Promise<UsageByTime[]> {
  const unit = sql.raw(query.by === 'hour' ? `'hour'` : `'day'`)
  return await rows<UsageByTime>(
    orm,
    sql`select to_char(p at time zone 'UTC', ${ISO}) as at, ${COUNTS}
      from generate_series(date_trunc(${unit}, ${query.from}::timestamptz), ${query.to}::timestamptz - interval '1 millisecond',
        ('1 ' || ${unit})::interval) p
      left join (select date_trunc(${unit}, hour) as period, requests, errors, limited from request_sums where ${among(query)}) s on s.period = p
      group by p order by p`,
  )
}

/** Returns the same counts per endpoint, busiest first, with the mean duration. */
export async function usageByEndpoint(orm: Orm, query: UsageQuery, limit: number): Promise<UsageByEndpoint[]> {
  return await rows<UsageByEndpoint>(
    orm,
    sql`select endpoint, face, ${COUNTS}, round(sum(duration_ms)::numeric / sum(requests), 1)::float8 as "meanMs"
      from request_sums where ${among(query)} group by endpoint, face order by requests desc, endpoint, face limit ${limit}`,
  )
}

export type KeyUsage = {
  keyId: string
  lastUsedAt: string | null
  lastAddress: string | null
  lastRefusedAt: string | null
  /** Counts since the start of the period. */
  requests: number
  errors: number
  limited: number
}

/**
 * Returns when and from which address each of a contractor's keys was last accepted, when it was last refused, and its requests
 * since a time (a whole hour).
 */
export async function keyUsage(orm: Orm, contractorId: string, since: string): Promise<KeyUsage[]> {
  return await rows<KeyUsage>(
    orm,
    sql`select k.id as "keyId", to_char(u.used_at at time zone 'UTC', ${ISO}) as "lastUsedAt", u.address as "lastAddress",
        to_char(r.refused_at at time zone 'UTC', ${ISO}) as "lastRefusedAt",
        coalesce(s.requests, 0)::float8 as requests, coalesce(s.errors, 0)::float8 as errors, coalesce(s.limited, 0)::float8 as limited
      from api_keys k
      left join lateral (select used_at, address from key_addresses where contractor_id = k.contractor_id and key_id = k.id
        and used_at is not null order by used_at desc limit 1) u on true
      left join lateral (select max(refused_at) as refused_at from key_addresses where contractor_id = k.contractor_id and key_id = k.id) r on true
      left join (select key_id, sum(requests) as requests, sum(errors) as errors, sum(limited) as limited
        from request_sums where contractor_id = ${contractorId} and hour >= ${since}::timestamptz group by key_id) s on s.key_id = k.id
      where k.contractor_id = ${contractorId} order by k.created_at desc, k.id desc`,
  )
}

export type KeyAddress = { address: string; requests: number; lastUsedAt: string | null; lastRefusedAt: string | null }

/**
 * Returns the addresses a key was used or refused from since a given time, latest first. `requests` counts from the address's first
 * request.
 */
export async function keyAddressesSince(
  orm: Orm,
  query: { contractorId: string; keyId: string; since: string; limit: number },
): Promise<KeyAddress[]> {
  return await rows<KeyAddress>(
    orm,
    sql`select address, requests::float8 as requests, to_char(used_at at time zone 'UTC', ${ISO}) as "lastUsedAt",
        to_char(refused_at at time zone 'UTC', ${ISO}) as "lastRefusedAt"
      from key_addresses where contractor_id = ${query.contractorId} and key_id = ${query.keyId}
        and greatest(used_at, refused_at) >= ${query.since}::timestamptz
      order by greatest(used_at, refused_at) desc, address limit ${query.limit}`,
  )
}
