import { isObject, parseJson } from './json'

/** A complete HTTP request and response. Header names are in lower case; `ms` is the time until the last byte. */
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

/** The number of exchanges kept: enough for a call and the client's requests around it. */
const KEPT = 20
/** Statuses for which `Response` accepts no body. */
const BODILESS = [204, 205, 304]

/** The text in the place of an access token. */
const BEARER = 'Bearer $PLUMBLINE_TOKEN'

const pairs = (headers: Headers) => Object.fromEntries(headers.entries())

/**
 * Records a client's requests and responses by replacing its `fetch`. It answers a GET with 405 without sending it, because the server
 * offers no stream and a browser logs every 405 as an error.
 */
export class Recorder {
  readonly exchanges: Exchange[] = []

  /** @param token the access token of a person who signed in; without one the client sends a key */
  constructor(private readonly token?: () => Promise<string>) {}

  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? 'GET'
    if (method === 'GET') return new Response(null, { status: 405 })
    const started = performance.now()
    const response = await this.send(input, init)
    const body = await response.text()
    this.exchanges.push({
      method,
      url: String(input),
      // The token is shown nowhere: what is copied names a variable in its place.
      requestHeaders: { ...pairs(new Headers(init.headers)), ...(this.token && { authorization: BEARER }) },
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

  /** Sends and records a request. A request without a response is not recorded, so no earlier response is shown for it. */
  private async send(input: string | URL, init: RequestInit): Promise<Response> {
    try {
      // `keepalive` lets a session end while the page is being closed.
      const keepalive = init.method === 'DELETE'
      const headers = new Headers(init.headers)
      if (this.token) headers.set('authorization', `Bearer ${await this.token()}`)
      return await fetch(input, { ...init, headers, keepalive, cache: 'no-store', credentials: 'omit' })
    } catch (cause) {
      this.clear()
      throw cause
    }
  }

  clear(): void {
    this.exchanges.length = 0
  }

  /** Returns the last exchange, or the last one with a method such as `tools/call`. */
  last(method?: string): Exchange | undefined {
    return this.exchanges.findLast(({ requestBody }) => {
      if (!method) return true
      const message = parseJson(requestBody)
      return isObject(message) && message.method === method
    })
  }
}

/** The rate limit as a response's headers report it. */
export type LimitState = { limit: number; remaining: number; resetAt: Date }

/** Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset` (epoch seconds). */
export function limitOf(headers: Record<string, string>): LimitState | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`])
  if (!limit || !remaining || !reset) return undefined
  return { limit: Number(limit), remaining: Number(remaining), resetAt: new Date(Number(reset) * 1000) }
}
