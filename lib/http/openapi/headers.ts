import { type Json, ref } from './schema'

/** The headers on every response of a limited operation (specification 8.1). */
export const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** All headers in the document. */
export const HEADERS: Record<string, Json> = {
  'X-Request-Id': { description: 'Names this request; quote it when you ask us about it', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Requests allowed per minute', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left at this moment', schema: { type: 'integer' } },
  'X-RateLimit-Reset': {
    description: 'When the oldest counted request leaves the minute, epoch seconds',
    schema: { type: 'integer' },
  },
  'Retry-After': { description: 'Seconds to wait before the next request', schema: { type: 'integer', minimum: 1 } },
}

/** Returns references to the named headers. */
export const headerRefs = (names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
