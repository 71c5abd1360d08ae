import { type SQL, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { all, conditions, ISO_AT, MOST_WALKED, newest, type RequestQuery } from './request-pages'

export type Bar = { at: string; requests: number; errors: number }

/** Statistics of the newest matching rows: their number, period, durations, and distribution over time. */
export type RequestSample = {
  /** True at the maximum of rows scanned: there may be older ones. */
  isCut: boolean
  /** The time of the oldest row scanned. */
  since: string | null
  requests: number
  errors: number
  p50Ms: number | null
  p95Ms: number | null
  /** The width of a bar in seconds; bars without requests are left out. */
  step: number
  bars: Bar[]
}

type Period = { from: string; to: string }
type StatsQuery = Omit<RequestQuery, 'limit' | 'from' | 'to' | 'contractorId'> & Period & { contractorId: string }

/** Bar widths in seconds that are easy to read; the narrowest one with at most {@link MOST_BARS} bars is used. */
const STEPS = [1, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400]
const MOST_BARS = 60

/** An error is a status from 400 up, or an MCP error with status 200. */
const IS_ERROR = sql`(status >= 400 or error_code is not null)`

/** Returns percentiles and bars of the newest {@link MOST_WALKED} rows of a period, so that the cost does not grow with the log. */
export async function sampleRequests(orm: Orm, query: StatsQuery): Promise<RequestSample> {
  const { indexed, rest } = conditions({ ...query, limit: MOST_WALKED })
  const steps = sql.join(
    STEPS.map((step) => sql`(${step}::int)`),
    sql`, `,
  )
  const [found] = await rows<RequestSample>(
    orm,
    sql`with walked as materialized (
        ${newest(sql`at, method, path, endpoint, key_id, address, status, error_code, duration_ms`, indexed, MOST_WALKED)}),
      walk as (select count(*)::int >= ${MOST_WALKED} as cut, min(at) as since from walked),
      width as (select coalesce(min(s) filter (where s * ${MOST_BARS} >= extract(epoch from ${query.to}::timestamptz
          - case when walk.cut then walk.since else ${query.from}::timestamptz end)), 86400) as step
        from walk, (values ${steps}) as v(s)),
      found as (select at, duration_ms, ${IS_ERROR} as failed from walked where ${all([sql`true`, ...rest])}),
      bars as (select to_timestamp(floor(extract(epoch from at) / step) * step) as at, count(*)::int as requests,
          count(*) filter (where failed)::int as errors from found, width group by 1)
    select walk.cut as "isCut", (select ${ISO_AT} from (select since as at from walk) s) as since, width.step,
      (select count(*)::int from found) as requests, (select count(*) filter (where failed)::int from found) as errors,
      (select percentile_cont(0.5) within group (order by duration_ms) from found) as "p50Ms",
      (select percentile_cont(0.95) within group (order by duration_ms) from found) as "p95Ms",
      coalesce((select json_agg(json_build_object('at', ${ISO_AT}, 'requests', requests, 'errors', errors) order by at) from bars), '[]'::json) as bars
    from walk, width`,
  )
  if (!found) throw new Error('an aggregate answers one row')
  return found
}

type SumQuery = Period & {
  contractorId: string
  keyId?: string | undefined
  endpoint?: string | undefined
  statusClass?: number | undefined
  failed?: boolean | undefined
  limited?: boolean | undefined
  by: 'hour' | 'day'
}

/** Returns bars from the hourly sums, which include requests without their own row. */
export async function barsOfSums(orm: Orm, query: SumQuery): Promise<Bar[]> {
  const { contractorId, from, to, keyId, endpoint, statusClass, by } = query
  // What is limited has failed too.
  const wanted = query.limited ? sql`limited` : query.failed ? sql`errors` : sql`requests`
  const failed = query.limited ? sql`limited` : sql`errors`
  const unit = by === 'hour' ? sql`'hour'` : sql`'day'`
  const conditions: SQL[] = [
    sql`contractor_id = ${contractorId}`,
    sql`hour >= date_trunc('hour', ${from}::timestamptz)`,
    sql`hour < ${to}::timestamptz`,
    ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
    ...(endpoint === undefined ? [] : [sql`endpoint = ${endpoint}`]),
    ...(statusClass === undefined ? [] : [sql`status_class = ${statusClass}`]),
  ]
  return await rows<Bar>(
    orm,
    sql`select ${ISO_AT} as at, sum(requests)::float8 as requests, sum(errors)::float8 as errors
      from (select date_trunc(${unit}, hour, 'UTC') as at, ${wanted} as requests, ${failed} as errors from request_sums where ${all(conditions)}) s
      where requests > 0 group by s.at order by s.at`,
  )
}
