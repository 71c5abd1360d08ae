import { LRUCache } from 'lru-cache'
import { env } from '@/lib/core/env'
import { logFault } from '@/lib/core/log'
import { processWide } from '@/lib/core/shared'
import { Circuit } from './circuit'
import { POLICIES, type PolicyName, WINDOW_MS } from './policies'
import { openSharedLog, type SharedStore, type TakeShared } from './shared-log'
import { RequestLog, type Taken, type Verdict } from './window'

/** Subjects remembered at once. Beyond that the least recently seen is forgotten: memory is bounded, about 30 MB. */
const MAX_SUBJECTS = 100_000

/** How long a request waits for the shared store, in all; a check within a region takes a few milliseconds. */
const PATIENCE_MS = 250

/** At once where requests are counted in this process; where they are counted elsewhere, once the store has answered. */
export type Later<T> = T | Promise<T>

type Full = { limit: number; until: number }

const verdictOf = (limit: number, { allowed, remaining, freeInMs }: Taken): Verdict => ({
  allowed,
  limit,
  remaining,
  resetAt: Date.now() + freeInMs,
  retryAfterMs: allowed ? 0 : freeInMs,
})

/** Counts requests: in this process, or in a store that all instances share and, while that fails, in this process. */
export class Limiter {
  private readonly logs = new LRUCache<string, RequestLog>({ max: MAX_SUBJECTS })
  /** Until when the store has no place for a subject, which it said itself: those who keep knocking need not be asked about. */
  private readonly full = new LRUCache<string, Full>({ max: MAX_SUBJECTS })
  private readonly shared: TakeShared | undefined
  private readonly circuit: Circuit

  constructor(store: SharedStore | undefined, told: (cause: unknown) => void = () => {}) {
    const shared = store && openSharedLog(store)
    this.shared = shared
    this.circuit = new Circuit(async () => shared?.(1, 'probe', 'probe'), told, store?.patienceMs ?? PATIENCE_MS)
  }

  /** Where requests are counted at this moment; `degraded` while the shared store does not answer. */
  get store(): { status: 'ok' | 'degraded'; store: 'process' | 'redis' } {
    if (!this.shared) return { status: 'ok', store: 'process' }
    return this.circuit.isOpen ? { status: 'degraded', store: 'process' } : { status: 'ok', store: 'redis' }
  }

  /** Connects to the store ahead of the first request, which then need not wait for names, certificates and the script. */
  async warm(): Promise<void> {
    // Whether it works is for requests to find out.
    await this.shared?.(1, 'probe', 'probe').catch(() => {})
  }

  /** Counts one request of a subject at an endpoint against a limit per minute. Never throws or rejects. */
  take(limit: number, endpoint: string, subject: string): Later<Verdict> {
    if (!this.shared || this.circuit.isOpen) return this.takeHere(limit, endpoint, subject)
    const key = `${endpoint} ${subject}`
    const full = this.full.get(key)
    const freeInMs = full?.limit === limit ? full.until - performance.now() : 0
    if (freeInMs > 0) return verdictOf(limit, { allowed: false, remaining: 0, freeInMs: Math.ceil(freeInMs) })
    return this.takeShared(this.shared, key, limit, endpoint, subject)
  }

  /** The same in this process alone. It follows the monotonic clock; only `resetAt` is told in wall time. */
  takeHere(limit: number, endpoint: string, subject: string): Verdict {
    const key = `${endpoint} ${subject}`
    let log = this.logs.get(key)
    if (!log) {
      log = new RequestLog()
      this.logs.set(key, log)
    }
    return verdictOf(limit, log.take(performance.now(), limit, WINDOW_MS))
  }

  private async takeShared(
    shared: TakeShared,
    key: string,
    limit: number,
    endpoint: string,
    subject: string,
  ): Promise<Verdict> {
    const began = performance.now()
    const taken = await this.circuit.run(() => shared(limit, endpoint, subject))
    if (!taken) return this.takeHere(limit, endpoint, subject)
    // What this instance let in is noted here too, so that an outage does not begin at nothing.
    if (taken.allowed) this.takeHere(limit, endpoint, subject)
    else this.full.set(key, { limit, until: began + taken.freeInMs })
    return verdictOf(limit, taken)
  }
}

const tellFault = (cause: unknown): void =>
  logFault(
    { operation: 'limits' },
    new Error('the shared limit store does not answer; each instance counts for itself', { cause }),
  )

function open(): Limiter {
  const { limitStore, tokenSecrets, authSecret } = env()
  if (!limitStore) return new Limiter(undefined)
  const secret = tokenSecrets[0] ?? authSecret ?? limitStore.token
  return new Limiter({ ...limitStore, secret, patienceMs: PATIENCE_MS }, tellFault)
}

const limiter = processWide('limits', open)

/** Where requests are counted, for the health answer. */
export const limitStore = (): Limiter['store'] => limiter().store

/** What a process does at its start, so that its first requests find the store ready. */
export const warmLimits = (): Promise<void> => limiter().warm()

/** Counts one request of a subject at an endpoint against a policy. */
export const takeLimit = (policy: PolicyName, endpoint: string, subject: string): Later<Verdict> =>
  limiter().take(POLICIES[policy].rate(env()), endpoint, subject)

/** The same for a limit of the subject's own, in requests per minute. */
export const takeOwnLimit = (limit: number, endpoint: string, subject: string): Later<Verdict> =>
  limiter().take(limit, endpoint, subject)

/** The same in this process alone, at once: for what protects this process and promises nothing to clients. */
export const takeLocalLimit = (policy: PolicyName, endpoint: string, subject: string): Verdict =>
  limiter().takeHere(POLICIES[policy].rate(env()), endpoint, subject)
