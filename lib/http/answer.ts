import type { KeyActor } from '@/lib/auth/actor'
import { baseUrls, env } from '@/lib/core/env'
import { ERRORS, errorBody, type FieldFault, isOurs, toServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { Parts } from '@/lib/core/parts'
import { derived, shared } from '@/lib/core/shared'
import { epochSeconds } from '@/lib/core/time'
import type { Verdict } from '@/lib/limits/window'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Returns HSTS only where the service is reached by https. */
const transport = derived((): Record<string, string> => {
  const isHttps = baseUrls(env()).api.startsWith('https:')
  return isHttps ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}
})

/** An answer: the one-machine server writes it to the socket as it is, a route file makes a `Response` of it. */
export type Reply = {
  status: number
  headers: Record<string, string>
  /** Bytes where it is compressed. */
  body: string | Uint8Array<ArrayBuffer> | null
  stream?: ReplyStream
}

/** The text of a reply that is not compressed; null for none. */
export const textOf = ({ body }: Reply): string | null => (body === null ? null : String(body))

/** A body that comes in parts: its texts, and when what they tell of has ended, whether or not anyone still reads. */
export type ReplyStream = { chunks: AsyncGenerator<string | Uint8Array>; ended: Promise<void> }

function webStream({ chunks }: ReplyStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

const streaming = shared<Set<Request>>('streamingRequests', () => new Set())

/** Ends a stream with its request, because a framework may drop a response whose client has gone without ever reading it. */
export function endWithRequest(request: Request, { chunks }: ReplyStream): void {
  const end = () => {
    streaming().delete(request)
    void chunks.return(undefined).catch(() => {})
  }
  if (request.signal.aborted) {
    end()
    return
  }
  // Node loses the signal of a request that is collected, and the stream would stay open.
  streaming().add(request)
  request.signal.addEventListener('abort', end, { once: true })
  const next = chunks.next.bind(chunks)
  chunks.next = async () => {
    const part = await next()
    if (part.done) streaming().delete(request)
    return part
  }
}

/** A reply as a web `Response`. */
export const toResponse = ({ status, headers, body, stream }: Reply): Response =>
  new Response(stream ? webStream(stream) : body, { status, headers })

/** Reports whether one limit is reached before another. */
const isNearer = (one: Verdict, other: Verdict): boolean =>
  one.allowed === other.allowed ? one.remaining < other.remaining : !one.allowed

/** Collects an answer's headers while a request is handled, so that they stand on it however it ends. */
export class Answer {
  readonly requestId = newRequestId()
  readonly headers: Record<string, string>
  /** The data that the request log is told beside the request and its reply, as it becomes known. */
  readonly began = performance.now()
  /** What it waits for meanwhile. */
  readonly timed = new Parts()
  actor: KeyActor | undefined
  endpoint = ''
  mcpMethod: string | undefined
  errorCode: string | undefined
  errorMessage: string | undefined
  errorFields: string[] | undefined
  /** The HTTP status of an error that stands inside an answer of another protocol. */
  faultStatus: number | undefined

  constructor(readonly method: string) {
    // On every API answer: it is never cached, rendered or framed.
    this.headers = {
      'content-type': JSON_TYPE,
      'cache-control': 'no-store',
      'x-request-id': this.requestId,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      ...transport(),
    }
  }

  /** The limits that this request counted against, by name. */
  private readonly limits = new Map<string, Verdict>()

  /**
   * A limit's state. `X-RateLimit-*` shows the nearest of several, its reset in epoch seconds (specification 8.1);
   * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10) name each, in seconds from now.
   */
  limit(name: string, verdict: Verdict): void {
    this.limits.set(name, verdict)
    let nearest = verdict
    let [policies, states] = ['', '']
    for (const [each, known] of this.limits) {
      if (isNearer(known, nearest)) nearest = known
      const { limit, remaining, resetAt } = known
      const seconds = Math.max(0, Math.ceil((resetAt - Date.now()) / 1000))
      policies += `${policies && ', '}"${each}";q=${limit};w=60`
      states += `${states && ', '}"${each}";r=${remaining};t=${seconds}`
    }
    this.headers['x-ratelimit-limit'] = String(nearest.limit)
    this.headers['x-ratelimit-remaining'] = String(nearest.remaining)
    this.headers['x-ratelimit-reset'] = String(epochSeconds(nearest.resetAt))
    this.headers['ratelimit-policy'] = policies
    this.headers.ratelimit = states
  }

  /** Shows a limit no longer, because it turned out not to hold for this caller. */
  unlimit(name: string): void {
    this.limits.delete(name)
  }

  /** Adds a link (RFC 8288) to those there are. */
  link(link: string): void {
    const { link: before } = this.headers
    this.headers.link = before === undefined ? link : `${before}, ${link}`
  }

  add(headers: Record<string, string>): void {
    Object.assign(this.headers, headers)
  }

  /** Returns JSON text with its length; HEAD gets the same headers and no body. */
  json(text: string, status = 200): Reply {
    this.headers['content-length'] = String(Buffer.byteLength(text))
    return { status, headers: this.headers, body: this.method === 'HEAD' ? null : text }
  }

  /** A stream of server-sent events. */
  events(stream: ReplyStream): Reply {
    this.add({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    return { status: 200, headers: this.headers, body: null, stream }
  }

  /** A body in parts of any type; its length is not known before its end. */
  parts(type: string, stream: ReplyStream): Reply {
    this.add({ 'content-type': type })
    return { status: 200, headers: this.headers, body: null, stream }
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

  /**
   * Returns what a reply counts as: a fault of ours told inside an answer of another protocol is still one, whatever the status it left
   * with.
   */
  countsAs(status: number): number {
    const { errorCode } = this
    return errorCode === 'internal' || errorCode === 'busy' ? Math.max(status, ERRORS[errorCode].status) : status
  }

  /** The answer to anything thrown. Faults of ours are logged with the request id and never shown. */
  error(thrown: unknown): Reply {
    const error = toServiceError(thrown)
    this.failed(error.code, error.message, error.fields)
    if (isOurs(error)) logFault({ requestId: this.requestId, operation: this.endpoint || undefined }, thrown)
    if (error.headers) this.add(error.headers)
    return this.json(JSON.stringify(errorBody(error, this.requestId)), error.status)
  }
}
