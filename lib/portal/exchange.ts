import { isObject, parseJson } from './json'

/** One HTTP request and its answer, both whole. Header names are in lower case; `ms` runs until the last byte. */
export type Exchange = {
  method: string
  url: string
  requestHeaders: Record<string, string>
  requestBody: string
  status: number
  statusText: string
  headers: Record<string, string>
  body: string
  ms: number
}

/** How many are kept: a call and what a client does around it. */
const KEPT = 20
/** Answers that carry no body, where `Response` refuses one. */
const BODILESS = [204, 205, 304]

const pairs = (headers: Headers) => Object.fromEntries(headers.entries())

/**
 * Records what a client exchanges with the server, by replacing its `fetch`. Answers a GET with 405 without sending it: the server
 * offers no stream, and a browser logs every 405 as an error.
 */
export class Recorder {
  readonly exchanges: Exchange[] = []

  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? 'GET'
    if (method === 'GET') return new Response(null, { status: 405 })
    const started = performance.now()
    const response = await this.send(input, init)
    const body = await response.text()
    this.exchanges.push({
      method,
      url: String(input),
      requestHeaders: pairs(new Headers(init.headers)),
      requestBody: typeof init.body === 'string' ? init.body : '',
      status: response.status,
      statusText: response.statusText,
      headers: pairs(response.headers),
      body,
      ms: performance.now() - started,
    })
    if (this.exchanges.length > KEPT) this.exchanges.shift()
    const { status, statusText, headers } = response
    return new Response(BODILESS.includes(status) ? null : body, { status, statusText, headers })
  }

  /** A request that got no answer leaves nothing that could be taken for its answer. */
  private async send(input: string | URL, init: RequestInit): Promise<Response> {
    try {
      // A session is ended also while the page goes away.
      const keepalive = init.method === 'DELETE'
      return await fetch(input, { ...init, keepalive, cache: 'no-store', credentials: 'omit' })
    } catch (cause) {
      this.clear()
      throw cause
    }
  }

  clear(): void {
    this.exchanges.length = 0
  }

  /** The last exchange, or the last that called this method (`tools/call`). */
  last(method?: string): Exchange | undefined {
    return this.exchanges.findLast(({ requestBody }) => {
      if (!method) return true
      const message = parseJson(requestBody)
      return isObject(message) && message.method === method
    })
  }
}

/** What an answer says about the limit it counts toward; undefined where it says nothing. */
export type LimitState = { limit: number; remaining: number; resetAt: Date }

/** Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset` (epoch seconds). */
export function limitOf(headers: Record<string, string>): LimitState | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`])
  if (!limit || !remaining || !reset) return undefined
  return { limit: Number(limit), remaining: Number(remaining), resetAt: new Date(Number(reset) * 1000) }
}
