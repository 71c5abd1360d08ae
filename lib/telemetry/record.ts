import type { RequestBatch, RequestKind } from '@/db/queries/request-log'
import { safeText } from '@/lib/core/log-safe'
import type { Shares } from '@/lib/core/parts'
import { FILTER_NAMES } from '@/lib/resources/registry'

/** A finished request as the hot path records it: nothing is checked or cut yet. */
export type RequestRecord = {
  requestId: string
  /** Epoch milliseconds. */
  endedAt: number
  contractorId: string | undefined
  keyId: string | undefined
  /** The SHA-256 of a key that was presented but not looked up or not accepted. */
  secretHash: string | undefined
  method: string
  url: string
  endpoint: string
  mcpMethod: string | undefined
  status: number
  errorCode: string | undefined
  /** The error message for the caller, and the invalid fields; both are unfiltered. */
  errorMessage: string | undefined
  errorFields: string[] | undefined
  address: string
  durationMs: number
  userAgent: string | null
  /** Where the time of a slow request went. */
  timing: Shares | undefined
}

/** Parameters whose values describe the request and contain no secret; page tokens and answers are only noted by name. */
export const KEPT_PARAMETERS: ReadonlySet<string> = new Set([
  'contractorId',
  'limit',
  'updatedAfter',
  'sort',
  'fields',
  'expand',
  'count',
  'webhook',
  'state',
  'before',
  'version',
  'format',
  'include',
  'resources',
  'wait',
  'complete',
  'maxDeleted',
  'upload',
  ...FILTER_NAMES,
])
export const NAMED_PARAMETERS: ReadonlySet<string> = new Set(['pageToken', 'cursor', 'after', 'answers'])

const OWN_KEY = /plb(?:_|%5f)(?:live|test)(?:_|%5f)[0-9a-z]+/gi
const cut = (text: string, most: number) => text.replace(OWN_KEY, '[removed]').slice(0, most)

/** The query as it is stored: known parameters only, because anything else may be a misplaced secret. */
function queryOf(search: string): string | undefined {
  const kept = search.split('&').flatMap((part) => {
    const name = part.split('=', 1)[0] ?? ''
    if (KEPT_PARAMETERS.has(name)) return [cut(part, 120)]
    return NAMED_PARAMETERS.has(name) ? [`${name}=…`] : []
  })
  return kept.length === 0 ? undefined : kept.join('&').slice(0, 500)
}

/** The data API's own host has paths without `/api/v1`; the log uses one path per endpoint for all hosts. */
const servedPath = (path: string) => (/^\/(api|mcp)(\/|$)/.test(path) ? path : `/api/v1${path}`)

/** A lead sender's secret URL is stored as the address of its source: nothing behind the name is. */
const LEAD_PATH = /^(\/api\/webhooks\/leads\/[a-z0-9-]*)[^a-z0-9/-].*$/i

/** Returns the path of a URL without its query, with keys removed. */
export function pathOf(url: string): string {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2)
  const queryAt = url.indexOf('?', pathAt)
  const path = servedPath(pathAt < 0 ? '/' : url.slice(pathAt, queryAt < 0 ? undefined : queryAt))
  return cut(path.replace(LEAD_PATH, '$1'), 300)
}

const MOST_FIELDS = 20

/** Returns an error's message without the caller's values, which messages put in quotation marks. */
const messageOf = (message: string): string =>
  safeText(message)
    .replace(/"[^"]*"?|“[^”]*”?/g, '"…"')
    .slice(0, 300)

const addressOf = (url: string) => {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2)
  const queryAt = url.indexOf('?', pathAt)
  return { path: pathOf(url), query: queryAt < 0 ? undefined : queryOf(url.slice(queryAt + 1)) }
}

/** A record in the queue; `counted` is the number of requests that one stands for. */
type Recorded = { record: RequestRecord; counted: number | undefined }

const kindOf = ({ record, counted }: Recorded): RequestKind => ({
  contractor_id: record.contractorId,
  key_id: record.keyId,
  secret_hash: record.secretHash,
  method: record.method.slice(0, 10),
  ...addressOf(record.url),
  endpoint: record.endpoint,
  mcp_method: record.mcpMethod,
  status: record.status,
  error_code: record.errorCode,
  error_message: record.errorMessage === undefined ? undefined : messageOf(record.errorMessage),
  // The questions of a load are named by words of its files.
  error_fields:
    record.errorCode === 'conflict'
      ? undefined
      : record.errorFields?.slice(0, MOST_FIELDS).map((name) => cut(name, 60)),
  address: record.address.slice(0, 64),
  user_agent: record.userAgent === null ? undefined : cut(record.userAgent, 200),
  timing: record.timing,
  counted,
})

/** Reports whether two requests differ only in their id, their time and how long they took. Failures and slow requests are not compared: they tell more. */
const alike = (one: RequestRecord, other: RequestRecord): boolean =>
  one.keyId === other.keyId &&
  one.address === other.address &&
  one.status === other.status &&
  one.endpoint === other.endpoint &&
  one.userAgent === other.userAgent &&
  one.method === other.method &&
  one.mcpMethod === other.mcpMethod &&
  one.contractorId === other.contractorId &&
  one.secretHash === other.secretHash &&
  one.errorCode === undefined &&
  other.errorCode === undefined &&
  one.timing === undefined &&
  other.timing === undefined

type Known = { record: RequestRecord; kind: number }

/** Converts records to lines without anything that must not be stored. What requests have in common is checked and cut once. */
export function linesOf(batch: Recorded[]): RequestBatch {
  const kinds: RequestKind[] = []
  const known = new Map<string, Known[]>()
  const placeOf = (item: Recorded): number => {
    const { record, counted } = item
    const sameUrl = known.get(record.url)
    const before = counted === undefined ? sameUrl?.find((each) => alike(each.record, record)) : undefined
    if (before) return before.kind
    const kind = kinds.push(kindOf(item)) - 1
    if (counted !== undefined) return kind
    if (sameUrl) sameUrl.push({ record, kind })
    else known.set(record.url, [{ record, kind }])
    return kind
  }
  const lines = batch.map((item) => ({
    id: item.record.requestId.slice(4),
    at: item.record.endedAt,
    duration_ms: Math.round(item.record.durationMs * 10) / 10,
    kind: placeOf(item),
  }))
  return { kinds, lines }
}
