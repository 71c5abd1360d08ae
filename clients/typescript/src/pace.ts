import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, ConnectionError, RateLimitedError } from './errors.js'

/** The limits on how often and how long requests are repeated. */
export type Patience = {
  /** Attempts without any progress before an error is thrown. */
  attempts: number
  /** Milliseconds that refusals for the rate limit (429) may take together. */
  patienceMs: number
}

const FIRST_MS = 500
const LONGEST_MS = 30_000
const DEFAULT_RETRY_SECONDS = 60

/** Statuses after which repeating a read can help. 429 is not a failed attempt. */
const isPassing = (status: number): boolean => status === 408 || status === 425 || status >= 500

/** Decides after each failure of one request whether to try again, and waits. */
export class Pace {
  #failures = 0
  #limitedMs = 0

  constructor(private readonly patience: Patience) {}

  /** Notes that something arrived since the last failure: the next one counts as the first. */
  progressed(): void {
    this.#failures = 0
    this.#limitedMs = 0
  }

  /** Waits until the request may be repeated. @throws the error itself when it should not be */
  async after(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    await sleep(this.#waitFor(error), undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted())
  }

  /** @returns milliseconds */
  #waitFor(error: unknown): number {
    if (error instanceof RateLimitedError) {
      const wait = 1000 * (error.retryAfter ?? DEFAULT_RETRY_SECONDS)
      this.#limitedMs += wait
      if (this.#limitedMs > this.patience.patienceMs) throw error
      // Clients that were refused together should not come back together.
      return wait + Math.random() * 250
    }
    const canPass = error instanceof ConnectionError || (error instanceof ApiError && isPassing(error.status))
    if (!canPass || ++this.#failures >= this.patience.attempts) throw error
    const asked = error instanceof ApiError ? 1000 * (error.retryAfter ?? 0) : 0
    const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#failures)
    return Math.max(asked, longest * (0.5 + Math.random() / 2))
  }
}
