import { setTimeout as sleep } from 'node:timers/promises'
import { cleanText } from '@/lib/core/clean'
import { ConnectorFault } from '../connector'
import { Fault } from './shapes'

/** The length beyond which no answer is read, because reading JSON holds this thread. A thousand invoices have about 2.5 million bytes. */
const MOST_BYTES = 4_000_000
/** The limit; Intuit ends requests itself after 120 s. */
const TIMEOUT_MS = 60_000
const RETRY_AFTER_MS = [500, 3_000]
/** The wait of a minute that Intuit asks for where it does not say how long. */
const THROTTLED_MS = 60_000
const MOST_WAIT_MS = 3_600_000

/** An answer: its status, its headers, and its body as JSON; undefined where it is none. */
export type Answered = { status: number; headers: Headers; body: unknown }

type Asking = { method?: 'GET' | 'POST'; headers: Record<string, string>; body?: string; signal: AbortSignal }

/** The answer was longer than is read. */
export class TooLong extends Error {
  override name = 'TooLong'
}

async function readBody(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    // Leaving the loop ends the connection.
    if (size > MOST_BYTES) throw new TooLong(`The answer is longer than ${MOST_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function askOnce(url: string, { signal, ...asking }: Asking): Promise<Answered> {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { ...asking, redirect: 'manual', signal: AbortSignal.any([signal, limit]) })
  return { status: response.status, headers: response.headers, body: jsonOf(await readBody(response)) }
}

/** Returns how long a throttled caller waits: what the answer says, at most an hour. */
function waitOf(headers: Headers): number {
  const seconds = Number(headers.get('retry-after'))
  return seconds > 0 ? Math.min(seconds * 1000, MOST_WAIT_MS) : THROTTLED_MS
}

/** Returns what a Fault says, on one line and cut: it may quote what somebody entered. */
export function faultText(body: unknown): string | undefined {
  const { data } = Fault.safeParse(body)
  const [first] = data?.Fault?.Error ?? data?.fault?.error ?? []
  if (!first) return undefined
  const words = [first.Message ?? first.message, first.Detail ?? first.detail].filter(Boolean).join(': ')
  const code = first.code === undefined ? '' : ` (code ${first.code})`
  return `${cleanText(words).replace(/\s+/g, ' ').slice(0, 200)}${code}`
}

const THROTTLE_CODES = ['3001', '003001']

/** Reports whether Intuit says that there were too many requests: 429, or its own code in a Fault. */
function isThrottled({ status, body }: Answered): boolean {
  const { data } = Fault.safeParse(body)
  return status === 429 || (data?.Fault?.Error ?? []).some(({ code }) => THROTTLE_CODES.includes(code ?? ''))
}

/**
 * Asks Intuit, and asks twice again where the server is down or does not answer. Redirects are not followed.
 * @throws ConnectorFault `throttled` or `unreachable`; TooLong; what the signal was aborted with
 */
export async function request(url: string, asking: Asking): Promise<Answered> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await askOnce(url, asking).catch((error: unknown) => {
      asking.signal.throwIfAborted()
      if (error instanceof TooLong) throw error
      return { error }
    })
    if (!('error' in outcome)) {
      if (isThrottled(outcome))
        throw new ConnectorFault('throttled', 'QuickBooks takes no more requests for now.', waitOf(outcome.headers))
      if (outcome.status < 500) return outcome
    }
    const wait = RETRY_AFTER_MS[attempt]
    if (wait === undefined) {
      const why =
        'error' in outcome
          ? 'QuickBooks does not answer.'
          : `QuickBooks answers with an error of its own (${outcome.status}).`
      throw new ConnectorFault('unreachable', `${why} It is tried again by itself.`)
    }
    await sleep(wait, undefined, { signal: asking.signal })
  }
}
