import { type SQL, sql } from 'drizzle-orm'
import { firstRequestUuidAt } from '../../lib/core/ids'
import type { Shares } from '../../lib/core/parts'
import { type Orm, rows } from '../client'

/** A request as it is shown. `at` is an ISO timestamp. */
export type LoggedRequest = {
  id: string
  at: string
  method: string
  path: string
  query: string | null
  endpoint: string
  mcpMethod: string | null
  status: number
  errorCode: string | null
  errorMessage: string | null
  errorFields: string[] | null
  keyId: string | null
  address: string
  durationMs: number
  userAgent: string | null
  timing: Shares | null
}

/** A position in the log. */
export type LogPlace = { at: string; id: string }

export type RequestFilters = {
  method?: string | undefined
  status?: number | undefined
  /** The first digit of the status. */
  statusClass?: number | undefined
  /** Keeps only failed requests: statuses from 400 up, and MCP errors, whose status is 200. */
  failed?: boolean | undefined
  /** Keeps only requests over a rate limit, including those of MCP. */
  limited?: boolean | undefined
  endpoint?: string | undefined
  keyId?: string | undefined
  address?: string | undefined
  /** The beginning of the path. */
  path?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** A query; null `contractorId` selects requests without a valid key, seen only by operators. */
export type RequestQuery = RequestFilters & { contractorId: string | null; limit: number }

/** The most rows scanned for a page when a filter has no index. */
export const MOST_WALKED = 5_000

export const ISO_AT = sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const SHOWN = sql`'req_' || id as id, ${ISO_AT} as at, method, path, query, endpoint,
  mcp_method as "mcpMethod", status, error_code as "errorCode", error_message as "errorMessage", error_fields as "errorFields", key_id as "keyId", address, round(duration_ms::numeric, 1)::float8 as "durationMs",
  user_agent as "userAgent", timing`

export const all = (parts: SQL[]): SQL => sql.join(parts, sql` and `)
const whose = (contractorId: string | null): SQL =>
  contractorId === null ? sql`contractor_id is null` : sql`contractor_id = ${contractorId}`

const when = (isAsked: unknown, condition: SQL): SQL[] => (isAsked ? [condition] : [])

/** The longest that a request is expected to take: an answer may be a stream that its reader keeps open. */
const LONGEST_MS = 86_400_000

/**
 * Conditions on ids, by which Postgres leaves out the partitions of other days (docs/decisions/033-query-plans.md): an id begins with the time
 * at which its request began, and `at` is the time at which it ended.
 */
const endedFrom = (at: string): SQL => sql`id >= ${firstRequestUuidAt(new Date(Date.parse(at) - LONGEST_MS))}::uuid`
const begunUntil = (at: string): SQL => sql`id < ${firstRequestUuidAt(new Date(Date.parse(at) + 1))}::uuid`

/** Splits a query into the conditions that one index answers in order, and the rest, which are checked row by row. */
export function conditions(query: RequestQuery): { indexed: SQL[]; rest: SQL[] } {
  const { contractorId, method, status, endpoint, keyId, address, path, from, to } = query
  const statusClass = query.statusClass ?? (status === undefined ? undefined : Math.floor(status / 100))
  const ofIndex = [
    ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
    ...(endpoint === undefined ? [] : [sql`endpoint = ${endpoint}`]),
    // A truth, for which the planner expects many rows: of a number it would expect one, and fetch and sort all of the period's errors.
    ...(statusClass === undefined || statusClass < 4
      ? []
      : [sql`status >= 400 and (status >= 500) is ${statusClass < 5 ? sql`false` : sql`true`}`]),
  ]
  const rest = [
    ...ofIndex.slice(1),
    ...when(statusClass !== undefined && statusClass < 4, sql`(status / 100) = ${statusClass}`),
    ...when(status !== undefined, sql`status = ${status}`),
    ...when(query.failed, sql`(status >= 400 or error_code is not null)`),
    ...when(query.limited, sql`(status = 429 or error_code = 'rate_limited')`),
    ...when(method !== undefined, sql`method = ${method}`),
    ...when(address !== undefined, sql`address = ${address}`),
    ...when(path !== undefined, sql`starts_with(path, ${path})`),
  ]
  const times = [
    ...(from === undefined ? [] : [sql`at >= ${from}::timestamptz`, endedFrom(from)]),
    ...(to === undefined ? [] : [sql`at < ${to}::timestamptz`, begunUntil(to)]),
  ]
  return { indexed: [whose(contractorId), ...ofIndex.slice(0, 1), ...times], rest }
}

/**
 * Selects the first rows of an index in one direction, at most `most`. The limit is in its own select, because the planner does not know
 * a contractor's share of the log (docs/decisions/033-query-plans.md): with a limit above its estimate it would fetch and sort all rows
 * of the period instead of walking the index.
 */
const walk =
  (direction: SQL) =>
  (columns: SQL, conditions: SQL[], most: number): SQL =>
    sql`select ${columns} from request_log where ${all(conditions)} order by at ${direction}, id ${direction} limit (select ${most}::int)`

export const newest = walk(sql`desc`)
export const oldest = walk(sql`asc`)

const placeOf = ({ at, id }: LogPlace): SQL => sql`(${at}::timestamptz, ${id}::uuid)`

/** A page, and the positions of the pages around it: newer rows follow `previous`, older ones `next`. */
export type RequestPage = { items: LoggedRequest[]; previous: LogPlace | undefined; next: LogPlace | undefined }

/** The rows of a page in reading order, how many rows were checked, and the first and last of those. */
type Walk = { items: LoggedRequest[] | null; walked: number; first: LogPlace | null; last: LogPlace | null }

const place = ({ at, id }: LoggedRequest): LogPlace => ({ at, id: id.slice(4) })

type Start = { before?: LogPlace | undefined; after?: LogPlace | undefined }

/** The conditions of the rows on one side of a position. */
export function beside({ before, after }: Start): SQL[] {
  if (after) return [sql`(at, id) > ${placeOf(after)}`, endedFrom(after.at)]
  return before ? [sql`(at, id) < ${placeOf(before)}`, begunUntil(before.at)] : []
}

/** Checks a limited number of rows in one direction from a position, and returns the matches, one more than a page shows. */
async function walkFrom(orm: Orm, query: RequestQuery, { before, after }: Start, most: number): Promise<Walk> {
  const { indexed, rest } = conditions(query)
  const [read, direction] = after ? [oldest, sql`asc`] : [newest, sql`desc`]
  const placeOfRow = (n: SQL) => sql`(select json_build_object('at', ${ISO_AT}, 'id', id) from walked where n = ${n})`
  const [walk] = await rows<Walk>(
    orm,
    sql`with walked as materialized (select row_number() over (order by at ${direction}, id ${direction}) as n, w.* from (${read(sql`*`, [...indexed, ...beside({ before, after })], most)}) w),
      found as (select * from walked where ${all([sql`true`, ...rest])} order by n limit ${query.limit + 1})
    select (select count(*)::int from walked) as walked, ${placeOfRow(sql`1`)} as first,
      ${placeOfRow(sql`(select max(n) from walked)`)} as last,
      (select json_agg(f) from (select ${SHOWN} from found order by found.n) f) as items`,
  )
  return walk ?? { items: null, walked: 0, first: null, last: null }
}

/** Returns where to continue: after the last row of the page when more match, otherwise after the last row checked unless it is the end. */
function onwardOf({ items, last }: Walk, limit: number, isCut: boolean): LogPlace | undefined {
  const farthest = items?.[limit - 1]
  if (items && items.length > limit && farthest) return place(farthest)
  return (isCut && last) || undefined
}

/**
 * Returns a page of requests, newest first: those older than `before`, or those next to `after` on the way back. A filter without an index
 * checks only the next {@link MOST_WALKED} rows, so that a page never takes long. Such a page may hold fewer items, or none, and still say
 * where to continue.
 */
export async function listRequests(orm: Orm, { before, after, ...query }: RequestQuery & Start): Promise<RequestPage> {
  const isSearched = conditions(query).rest.length > 0
  const most = isSearched ? MOST_WALKED : query.limit + 1
  const walk = await walkFrom(orm, query, { before, after }, most)
  const items = (walk.items ?? []).slice(0, query.limit)
  const onward = onwardOf(walk, query.limit, isSearched && walk.walked === most)
  const [nearest] = items
  const back = before || after ? (nearest ? place(nearest) : (walk.first ?? undefined)) : undefined
  return after ? { items: items.toReversed(), previous: onward, next: back } : { items, previous: back, next: onward }
}

/** Returns requests logged after a position, oldest first. A live view polls this. */
export async function listNewRequests(
  orm: Orm,
  { after, ...query }: RequestQuery & { after: LogPlace },
): Promise<LoggedRequest[]> {
  const { indexed, rest } = conditions(query)
  return await rows<LoggedRequest>(
    orm,
    sql`select ${SHOWN} from request_log
      where ${all([...indexed, ...rest, ...beside({ after })])} order by request_log.at, request_log.id limit ${query.limit}`,
  )
}

/** Returns one request of a contractor by the UUID in its id. */
export async function findRequest(
  orm: Orm,
  contractorId: string | null,
  uuid: string,
): Promise<LoggedRequest | undefined> {
  const [found] = await rows<LoggedRequest>(
    orm,
    sql`select ${SHOWN} from request_log where id = ${uuid}::uuid and ${whose(contractorId)}`,
  )
  return found
}
