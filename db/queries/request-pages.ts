import { type SQL, sql } from 'drizzle-orm'
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
}

/** A position in the log. */
export type LogPlace = { at: string; id: string }

export type RequestFilters = {
  method?: string | undefined
  status?: number | undefined
  /** The first digit of the status. */
  statusClass?: number | undefined
  /** Only those that failed: statuses from 400 up, and errors of MCP, whose status is 200. */
  failed?: boolean | undefined
  endpoint?: string | undefined
  keyId?: string | undefined
  address?: string | undefined
  /** The beginning of the path. */
  path?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Null selects requests without a valid key, which only operators see. */
export type RequestQuery = RequestFilters & { contractorId: string | null; limit: number }

/** The most rows scanned for a page when a filter has no index. */
export const MOST_WALKED = 5_000

export const ISO_AT = sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const SHOWN = sql`'req_' || id as id, ${ISO_AT} as at, method, path, query, endpoint,
  mcp_method as "mcpMethod", status, error_code as "errorCode", error_message as "errorMessage", error_fields as "errorFields", key_id as "keyId", address, round(duration_ms::numeric, 1)::float8 as "durationMs",
  user_agent as "userAgent"`

export const all = (parts: SQL[]): SQL => sql.join(parts, sql` and `)
const whose = (contractorId: string | null): SQL =>
  contractorId === null ? sql`contractor_id is null` : sql`contractor_id = ${contractorId}`

/** Splits a query into the conditions that one index answers in order, and the rest, which are checked row by row. */
export function conditions(query: RequestQuery): { indexed: SQL[]; rest: SQL[] } {
  const { contractorId, method, status, endpoint, keyId, address, path, from, to } = query
  const statusClass = query.statusClass ?? (status === undefined ? undefined : Math.floor(status / 100))
  const ofIndex = [
    ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
    ...(endpoint === undefined ? [] : [sql`endpoint = ${endpoint}`]),
    ...(statusClass === undefined || statusClass < 4 ? [] : [sql`status >= 400 and (status / 100) = ${statusClass}`]),
  ]
  const rest = [
    ...ofIndex.slice(1),
    ...(statusClass === undefined || statusClass >= 4 ? [] : [sql`(status / 100) = ${statusClass}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(query.failed ? [sql`(status >= 400 or error_code is not null)`] : []),
    ...(method === undefined ? [] : [sql`method = ${method}`]),
    ...(address === undefined ? [] : [sql`address = ${address}`]),
    ...(path === undefined ? [] : [sql`starts_with(path, ${path})`]),
  ]
  const times = [
    ...(from === undefined ? [] : [sql`at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`at < ${to}::timestamptz`]),
  ]
  return { indexed: [whose(contractorId), ...ofIndex.slice(0, 1), ...times], rest }
}

/**
 * The newest rows that an index answers, at most so many. The limit stands in a select of its own: the planner knows nothing of a
 * contractor's share of the log (docs/decisions/029-stable-plans.md), and told a limit beyond its guess it would fetch and sort all rows
 * of the period instead of walking the index.
 */
export const newest = (columns: SQL, conditions: SQL[], most: number): SQL =>
  sql`select ${columns} from request_log where ${all(conditions)} order by at desc, id desc limit (select ${most}::int)`

const placeOf = ({ at, id }: LogPlace): SQL => sql`(${at}::timestamptz, ${id}::uuid)`

export type RequestPage = { items: LoggedRequest[]; next: LogPlace | undefined }

type Walk = { items: LoggedRequest[] | null; walked: number; lastAt: string | null; lastId: string | null }

/**
 * Returns a page of requests after a position, newest first. A filter without an index checks only the next {@link MOST_WALKED}
 * rows, so that a page never takes long. Such a page may hold fewer items, or none, and still say where to continue.
 */
export async function listRequests(
  orm: Orm,
  { before, ...query }: RequestQuery & { before?: LogPlace | undefined },
): Promise<RequestPage> {
  const { indexed, rest } = conditions(query)
  const most = rest.length === 0 ? query.limit + 1 : MOST_WALKED
  const range = before === undefined ? indexed : [...indexed, sql`(at, id) < ${placeOf(before)}`]
  const [walk] = await rows<Walk>(
    orm,
    sql`with walked as materialized (${newest(sql`*`, range, most)}),
      found as (select * from walked where ${all([sql`true`, ...rest])} order by at desc, id desc limit ${query.limit + 1})
    select (select count(*)::int from walked) as walked,
      (select ${ISO_AT} from walked order by at, id limit 1) as "lastAt", (select id::text from walked order by at, id limit 1) as "lastId",
      (select json_agg(f) from (select ${SHOWN} from found order by found.at desc, found.id desc) f) as items`,
  )
  const items = walk?.items ?? []
  const shown = items.slice(0, query.limit)
  const last = shown.at(-1)
  if (items.length > query.limit && last) return { items: shown, next: { at: last.at, id: last.id.slice(4) } }
  const isCut = walk?.walked === most && walk.lastAt !== null && walk.lastId !== null && rest.length > 0
  return { items: shown, next: isCut ? { at: walk.lastAt ?? '', id: walk.lastId ?? '' } : undefined }
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
      where ${all([...indexed, ...rest, sql`(at, id) > ${placeOf(after)}`])} order by request_log.at, request_log.id limit ${query.limit}`,
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
