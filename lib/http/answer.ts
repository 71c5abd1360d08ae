import { STATUS_CODES } from 'node:http'
import { baseUrls, env } from '@/lib/core/env'
import { errorBody, type ServiceError, toServiceError } from '@/lib/core/errors'
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

/** Collects an answer's headers while a request is handled, so that they stand on it however it ends. */
export class Answer {
  readonly requestId = newRequestId()
  readonly headers: Record<string, string>

  constructor(private readonly method: string) {
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

  /** 200 with JSON text; HEAD gets the same headers and no body. */
  json(text: string, status = 200): Response {
    if (this.method !== 'HEAD') return new Response(text, { status, headers: this.headers })
    return new Response(null, {
      status,
      headers: { ...this.headers, 'content-length': String(Buffer.byteLength(text)) },
    })
  }

  empty(status: number): Response {
    const { 'content-type': _, ...headers } = this.headers
    return new Response(null, { status, headers })
  }

  /** The same as {@link error} in parts, for Node's own response or a bare socket. */
  inParts(error: ServiceError): { status: number; reason: string; headers: Record<string, string>; body: string } {
    const body = JSON.stringify(errorBody(error, this.requestId))
    const headers = { ...this.headers, ...error.headers, 'content-length': String(Buffer.byteLength(body)) }
    return { status: error.status, reason: STATUS_CODES[error.status] ?? '', headers, body }
  }

  /** The answer to anything thrown. Faults of ours are logged with the request id and never shown. */
  error(thrown: unknown): Response {
    const error = toServiceError(thrown)
    if (error.code === 'internal') logFault(this.requestId, thrown)
    if (error.headers) this.add(error.headers)
    return this.json(JSON.stringify(errorBody(error, this.requestId)), error.status)
  }
}
