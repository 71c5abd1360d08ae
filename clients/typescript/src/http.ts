import {
  ApiError,
  ConnectionError,
  GoneError,
  PlumblineError,
  RateLimitedError,
  UnexpectedAnswerError,
} from './errors.js'
import { Pace, type Patience } from './pace.js'
import { VERSION } from './version.js'

export type Options = Partial<Patience> & {
  /** The address of the data API, such as `https://api.example.com` or `http://localhost:3000/api/v1`. */
  baseUrl: string
  /** A key that can read. It is sent to that address only, and is in no error or log. */
  key: string
  /** Milliseconds without any byte before a request counts as failed. Default: 60,000. */
  timeoutMs?: number
  /** A replacement for the platform's `fetch`, for a proxy. */
  fetch?: typeof fetch
}
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
export type Call = {
  query?: Query
  signal?: AbortSignal | undefined
  /** Called with the headers of each answer that is read. */
  heard?: (headers: Headers) => void
}

/**
 * An answer whose body is still to be read. `listen` begins to count the time without a byte, `pause` stops it while the caller is
 * busy, `release` ends the answer, read or not.
 */
export type Opened = { response: Response; listen(): void; pause(): void; release(): void }

const MORE_THAN_A_WAIT_MS = 30_000

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '') return url
  throw new PlumblineError({
    what: 'The address of the API cannot be used',
    why: 'it is not an http or https address.',
    next: 'Set `baseUrl` to what the quick start shows, such as https://api.example.com.',
  })
}

/** Returns the error thrown for a refused request. */
async function refusalOf(response: Response): Promise<ApiError> {
  const { status, headers } = response
  const text = await response.text().catch(() => '')
  const body = bodyOf(text)
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const refusal = {
    status,
    code: typeof body.code === 'string' ? body.code : '',
    requestId: typeof body.requestId === 'string' ? body.requestId : (headers.get('x-request-id') ?? ''),
    fields: Array.isArray(body.fields) ? body.fields : [],
    retryAfter: Number.isFinite(seconds) ? Math.max(0, seconds) : undefined,
  }
  const told = {
    what: `The API answered ${status}`,
    why: typeof body.error === 'string' ? body.error : 'the answer gives no reason.',
    next: refusal.requestId && `When you ask about it, name the request ${refusal.requestId}.`,
  }
  if (status === 410) return new GoneError(told, refusal)
  return status === 429 ? new RateLimitedError(told, refusal) : new ApiError(told, refusal)
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const wordsOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

/** Returns the error for a request without a whole answer. The key is in none of the platform's messages: it was checked first. */
export const cut = (error: unknown): ConnectionError =>
  new ConnectionError(
    {
      what: 'No whole answer arrived',
      why: `${wordsOf(error)}.`,
      next: 'Check the address and the network; the request can be repeated.',
    },
    { cause: error },
  )

/** Sends requests with the key, and repeats those that can be repeated. */
export class Http {
  readonly #key: string
  readonly #base: URL
  readonly #fetch: typeof fetch
  readonly #timeoutMs: number
  readonly #patience: Patience

  constructor({ baseUrl, key, fetch: given, timeoutMs = 60_000, attempts = 6, patienceMs = 900_000 }: Options) {
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new PlumblineError({
        what: 'The key cannot be used',
        why: 'it is empty, or has a space or line break in it.',
        next: 'Pass the key as it was shown when it was made, such as from an environment variable.',
      })
    this.#key = key
    this.#base = addressOf(baseUrl)
    this.#fetch = given ?? fetch
    this.#timeoutMs = timeoutMs
    this.#patience = { attempts, patienceMs }
  }

  /** A new count of attempts. */
  pace(): Pace {
    return new Pace(this.#patience)
  }

  /**
   * Requests a JSON answer, repeatedly if needed.
   * @throws ApiError when the request is refused, ConnectionError when no whole answer arrives, UnexpectedAnswerError when `isWanted` says no
   */
  async json<T>(path: string, isWanted: (value: unknown) => value is T, { query, ...call }: Call = {}): Promise<T> {
    const pace = this.pace()
    for (;;) {
      try {
        const value = await this.#jsonOnce(path, { query: query ?? {}, ...call })
        if (isWanted(value)) return value
        throw unexpected(path)
      } catch (error) {
        await pace.after(error, call.signal)
      }
    }
  }

  async #jsonOnce(path: string, call: Call): Promise<unknown> {
    const { response, release } = await this.open(path, call)
    try {
      call.heard?.(response.headers)
      const text = await response.text().catch((error) => {
        call.signal?.throwIfAborted()
        throw cut(error)
      })
      return JSON.parse(text)
    } catch (error) {
      throw error instanceof SyntaxError ? unexpected(path) : error
    } finally {
      release()
    }
  }

  /**
   * Sends one request.
   * @throws ApiError when it is refused, ConnectionError when no answer begins
   */
  async open(path: string, { query = {}, signal }: Call): Promise<Opened> {
    signal?.throwIfAborted()
    const idle = new AbortController()
    const wait = Number(query.wait ?? 0) * 1000
    const limit = this.#timeoutMs + (wait > 0 ? wait + MORE_THAN_A_WAIT_MS : 0)
    const late = () => idle.abort(new Error(`nothing arrived for ${Math.round(limit / 1000)} seconds`))
    let timer = setTimeout(late, limit)
    const pause = () => clearTimeout(timer)
    const listen = () => {
      pause()
      timer = setTimeout(late, limit)
    }
    const release = () => {
      pause()
      idle.abort()
    }
    try {
      const response = await this.#send(path, query, signal ? AbortSignal.any([signal, idle.signal]) : idle.signal)
      if (!response.ok) throw await refusalOf(response)
      return { response, listen, pause, release }
    } catch (error) {
      release()
      signal?.throwIfAborted()
      throw error instanceof PlumblineError ? error : cut(error)
    }
  }

  #send(path: string, query: Query, signal: AbortSignal): Promise<Response> {
    const url = new URL(`${this.#base.pathname.replace(/\/$/, '')}${path}`, this.#base)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value))
    const headers = { 'x-api-key': this.#key, 'user-agent': `plumbline-typescript/${VERSION}` }
    // A redirect would take the key to another address.
    return this.#fetch(url, { headers, signal, redirect: 'manual' })
  }
}

/** An answer that the API description does not have. */
export const unexpected = (path: string): UnexpectedAnswerError =>
  new UnexpectedAnswerError({
    what: `The answer to ${path} is not what the API description says`,
    why: 'something else may have answered, or this package is too old.',
    next: 'Check `baseUrl`, then update the package.',
  })
