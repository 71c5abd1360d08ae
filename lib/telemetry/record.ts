import type { RequestLine } from '@/db/queries/request-log'
import { safeText } from '@/lib/core/log-safe'
import { FILTER_NAMES } from '@/lib/resources/registry'

/** A finished request as the hot path records it: nothing is checked or cut yet. */
export type RequestRecord = {
  requestId: string
  /** Epoch milliseconds. */
  endedAt: number
  contractorId: string | undefined
  keyId: string | undefined
  /** SHA-256 of a key that was presented but not looked up or not accepted. */
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
}

/** Parameters whose values describe the request and contain no secret; a page token is only noted by name. */
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
export const NAMED_PARAMETERS: ReadonlySet<string> = new Set(['pageToken', 'cursor', 'after'])

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
const agentOf = (userAgent: string) => cut(userAgent, 200)

/** Reads each distinct text once, because the requests of a batch are mostly alike. */
function onceEach<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const now = read(text)
    known.set(text, now)
    return now
  }
}

/** Converts records to rows without anything that must not be stored; `counted` is the number of requests that one stands for. */
export function linesOf(batch: { record: RequestRecord; counted: number | undefined }[]): RequestLine[] {
  const [placeOf, clientOf] = [onceEach(addressOf), onceEach(agentOf)]
  return batch.map(({ record, counted }) => {
    const { path, query } = placeOf(record.url)
    return {
      id: record.requestId.slice(4),
      at: record.endedAt,
      contractor_id: record.contractorId,
      key_id: record.keyId,
      secret_hash: record.secretHash,
      method: record.method.slice(0, 10),
      path,
      query,
      endpoint: record.endpoint,
      mcp_method: record.mcpMethod,
      status: record.status,
      error_code: record.errorCode,
      error_message: record.errorMessage === undefined ? undefined : messageOf(record.errorMessage),
      error_fields: record.errorFields?.slice(0, MOST_FIELDS).map((name) => cut(name, 60)),
      address: record.address.slice(0, 64),
      duration_ms: Math.round(record.durationMs * 10) / 10,
      user_agent: record.userAgent === null ? undefined : clientOf(record.userAgent),
      counted,
    }
  })
}
