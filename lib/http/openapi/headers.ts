import { type Json, ref, whole } from './schema'

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799

/** The headers on every response of a limited operation (specification 8.1). */
export const RATE_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
]

/** The headers of an answer that can be asked for again more cheaply, or has a next page. */
export const VERSION_HEADERS = ['ETag', 'Link', 'List-Complete']

/** The headers that let any site's pages read an answer. */
export const CORS_HEADERS = ['Access-Control-Allow-Origin']

/** The headers in the document. */
export const HEADERS: Record<string, Json> = {
  'X-Request-Id': {
    description: 'Names this request; quote it when you ask us about it',
    schema: { type: 'string', maxLength: 40 },
  },
  'X-RateLimit-Limit': { description: 'Requests allowed per minute', schema: whole(1) },
  'X-RateLimit-Remaining': { description: 'Requests left at this moment', schema: whole(0) },
  'X-RateLimit-Reset': {
    description: 'When one more request is free, epoch seconds. With several limits, these three show the nearest',
    schema: whole(0, LAST_SECOND),
  },
  'RateLimit-Policy': {
    description:
      'Every limit this request counted against, as draft-ietf-httpapi-ratelimit-headers-10 has it: requests (`q`) in seconds (`w`)',
    schema: { type: 'string', maxLength: 200, example: '"data-api";q=10;w=60' },
  },
  RateLimit: {
    description:
      'For each of them how many requests are left (`r`) and after how many seconds another one is free (`t`)',
    schema: { type: 'string', maxLength: 200, example: '"data-api";r=9;t=60' },
  },
  ETag: {
    description: 'Send it as `If-None-Match` to be answered 304 without a body while nothing has changed',
    schema: { type: 'string', maxLength: 120, pattern: '^(W/)?"[^"]*"$' },
  },
  Link: {
    description: 'The next page as `rel="next"` (RFC 8288), where there is one',
    schema: { type: 'string', maxLength: 8000 },
  },
  'List-Complete': {
    description:
      '`?0` on a list that ends before its last record although nextPageToken is null, because the server issues no page tokens (a structured boolean, RFC 9651; `missing` names the setting its operator has to set). Absent from any other answer',
    schema: { type: 'string', maxLength: 60, example: '?0;missing="EXTERNAL_API_TOKEN_SECRET"' },
  },
  'Access-Control-Allow-Origin': {
    description: 'Pages of any site may read this',
    schema: { type: 'string', enum: ['*'] },
  },
  Location: {
    description: 'Where the report of the load is, at `/loads/{load}`',
    schema: { type: 'string', maxLength: 200 },
  },
  'X-Changes-Cursor': {
    description: 'The cursor from which /changes completes the export',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before the next request', schema: whole(1) },
}

/** Returns the named headers themselves, for a document's components. */
export const headersOf = (names: string[]): Json => Object.fromEntries(names.map((name) => [name, HEADERS[name]]))

/** Returns references to the named headers. */
export const headerRefs = (names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
