import type { KeyActor } from '@/lib/auth/actor'
import { baseUrls, env } from '@/lib/core/env'
import { errorBody, type FieldFault, toServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { epochSeconds } from '@/lib/core/time'
import type { Verdict } from '@/lib/limits/window'

const JSON_TYPE = 'application/json; charset=utf-8'

/** HSTS only where the service is reached by https. */
let transport: Record<string, string> | undefined
function transportHeaders(): Record<string, string> {
  const isHttps = baseUrls(env()).api.startsWith('https:')
  return isHttps ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}
}

/** An answer as both entries send it: `server.ts` writes it to the socket as it is, a route file makes a `Response` of it. */
export type Reply = { status: number; headers: Record<string, string>; body: string | null }

/** A reply as a web `Response`. */
export const toResponse = ({ status, headers, body }: Reply): Response => new Response(body, { status, headers })

/** Collects an answer's headers while a request is handled, so that they stand on it however it ends. */
export class Answer {
  readonly requestId = newRequestId()
  readonly headers: Record<string, string>
  /** What the request log is told beside the request and its reply, as it becomes known. */
  readonly began = performance.now()
  actor: KeyActor | undefined
  endpoint = ''
  mcpMethod: string | undefined
  errorCode: string | undefined
  errorMessage: string | undefined
  errorFields: string[] | undefined
  /** The HTTP status of an error that stands inside an answer of another protocol. */
  faultStatus: number | undefined

  constructor(readonly method: string) {
    transport ??= transportHeaders()
    // On every API answer: it is never cached, rendered or framed.
    this.headers = {
      'content-type': JSON_TYPE,
      'cache-control': 'no-store',
      'x-request-id': this.requestId,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      ...transport,
    }
  }

  /** The limit's state as `X-RateLimit-*`: reset in epoch seconds (specification 8.1). */
  limit({ limit, remaining, resetAt }: Verdict): void {
    this.headers['x-ratelimit-limit'] = String(limit)
    this.headers['x-ratelimit-remaining'] = String(remaining)
    this.headers['x-ratelimit-reset'] = String(epochSeconds(resetAt))
  }

  add(headers: Record<string, string>): void {
    Object.assign(this.headers, headers)
  }

  /** JSON text with its length; HEAD gets the same headers and no body. */
  json(text: string, status = 200): Reply {
    this.headers['content-length'] = String(Buffer.byteLength(text))
    return { status, headers: this.headers, body: this.method === 'HEAD' ? null : text }
  }

  empty(status: number): Reply {
    const { 'content-type': _, ...headers } = this.headers
    return { status, headers, body: null }
  }

  /** Notes an error for the request log: its code, what is told of it, and which fields were at fault. */
  failed(code: string, message?: string, fields?: FieldFault[]): void {
    this.errorCode = code
    this.errorMessage = message
    this.errorFields = fields && [...new Set(fields.map(({ field }) => field))]
  }

  /** The answer to anything thrown. Faults of ours are logged with the request id and never shown. */
  error(thrown: unknown): Reply {
    const error = toServiceError(thrown)
    this.failed(error.code, error.message, error.fields)
    if (error.code === 'internal')
      logFault({ requestId: this.requestId, operation: this.endpoint || undefined }, thrown)
    if (error.headers) this.add(error.headers)
    return this.json(JSON.stringify(errorBody(error, this.requestId)), error.status)
  }
}
