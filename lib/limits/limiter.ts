import { LRUCache } from 'lru-cache'
import { env } from '@/lib/core/env'
import { logFault } from '@/lib/core/log'
import { asPart } from '@/lib/core/parts'
import { shared } from '@/lib/core/shared'
import { unreserved } from '@/lib/core/unreserved'
import { Circuit } from './circuit'
import { POLICIES, type PolicyName, WINDOW_MS } from './policies'
import type { ConsumeShared, SharedStore } from './shared-log'
import { type LogAnswer, SlidingWindow, type Verdict } from './window'

/** Subjects remembered at once. Beyond that the least recently seen is forgotten, which bounds memory at about 30 MB. */
const MAX_SUBJECTS = 100_000

type Full = { limit: number; until: number }

const verdictOf = (limit: number, { allowed, remaining, freeInMs }: LogAnswer): Verdict => ({
  allowed,
  limit,
  remaining,
  resetAt: Date.now() + freeInMs,
  retryAfterMs: allowed ? 0 : freeInMs,
})

/** The shared log with its client, which is loaded only where a store is configured. */
function sharedLog(store: SharedStore): ConsumeShared {
  const opened = import('./shared-log').then(({ openSharedLog }) => openSharedLog(store))
  return (...request) => asPart('count the request', async () => (await opened)(...request))
}

/** Counts requests in this process, or in a store that all instances share; while that store fails, in this process. */
export class Limiter {
  private readonly logs = new LRUCache<string, SlidingWindow>(unreserved(MAX_SUBJECTS))
  /**
   * The times until which the store refuses a subject's single requests, according to its own answer; until then repeated ones are refused
   * without asking it.
   */
  private readonly full = new LRUCache<string, Full>(unreserved(MAX_SUBJECTS))
  private readonly shared: ConsumeShared | undefined
  private readonly circuit: Circuit

  constructor(store: SharedStore | undefined, onOpen: (cause: unknown) => void = () => {}) {
    const shared = store && sharedLog(store)
    this.shared = shared
    this.circuit = new Circuit(async () => shared?.(1, 'probe', 'probe'), onOpen, store?.patienceMs ?? 0)
  }

  /** The store where requests are counted right now; `degraded` while the shared store does not answer. */
  get store(): { status: 'ok' | 'degraded'; store: 'process' | 'redis' } {
    if (!this.shared) return { status: 'ok', store: 'process' }
    return this.circuit.isOpen ? { status: 'degraded', store: 'process' } : { status: 'ok', store: 'redis' }
  }

  /** Connects to the store before the first request, which then does not wait for DNS, TLS and the script. */
  async warm(): Promise<void> {
    // Requests find out whether it works.
    await this.shared?.(1, 'probe', 'probe').catch(() => {})
  }

  /**
   * Counts one request of a subject at an endpoint against a limit per minute, as so many as it costs, all or none. What costs more than
   * the whole limit takes all of it, so that it is let in some time. Never throws or rejects.
   */
  async take(limit: number, endpoint: string, subject: string, asked = 1): Promise<Verdict> {
    const cost = Math.min(asked, limit)
    if (!this.shared || this.circuit.isOpen) return this.takeHere(limit, endpoint, subject, cost)
    const key = `${endpoint} ${subject}`
    const full = this.full.get(key)
    const freeInMs = full?.limit === limit && cost === 1 ? full.until - performance.now() : 0
    if (freeInMs > 0) return verdictOf(limit, { allowed: false, remaining: 0, freeInMs: Math.ceil(freeInMs) })
    return this.takeShared(this.shared, key, limit, endpoint, subject, cost)
  }

  /** The same, in this process only. It uses the monotonic clock; only `resetAt` is wall time. */
  takeHere(limit: number, endpoint: string, subject: string, cost = 1): Verdict {
    const key = `${endpoint} ${subject}`
    let log = this.logs.get(key)
    if (!log) {
      log = new SlidingWindow()
      this.logs.set(key, log)
    }
    return verdictOf(limit, log.take(performance.now(), limit, WINDOW_MS, cost))
  }

  private async takeShared(
    shared: ConsumeShared,
    key: string,
    limit: number,
    endpoint: string,
    subject: string,
    cost: number,
  ): Promise<Verdict> {
    const began = performance.now()
    const taken = await this.circuit.run(() => shared(limit, endpoint, subject, cost))
    if (!taken) return this.takeHere(limit, endpoint, subject, cost)
    // Requests this instance allows are counted here too, so that an outage does not start from zero.
    if (taken.allowed) this.takeHere(limit, endpoint, subject, cost)
    else if (cost === 1) this.full.set(key, { limit, until: began + taken.freeInMs })
    return verdictOf(limit, taken)
  }
}

const logOpening = (cause: unknown): void =>
  logFault(
    { operation: 'limits' },
    new Error('the shared limit store does not answer; each instance counts for itself', { cause }),
  )

function open(): Limiter {
  const { limitStore, tokenSecrets, authSecret } = env()
  if (!limitStore) return new Limiter(undefined)
  const secret = tokenSecrets[0] ?? authSecret ?? limitStore.token
  return new Limiter({ ...limitStore, secret }, logOpening)
}

const limiter = shared<Limiter>('limiter', open)

/** Returns where requests are counted, for the health answer. */
export const limitStore = (): Limiter['store'] => limiter().store

/** Warms the limits; called at startup, so that the first requests find the store connected. */
export const warmLimits = (): Promise<void> => limiter().warm()

/** Counts one request of a subject at an endpoint against a policy, as so many as it costs. */
export const consumeLimit = (policy: PolicyName, endpoint: string, subject: string, cost = 1): Promise<Verdict> =>
  limiter().take(POLICIES[policy].rate(env()), endpoint, subject, cost)

/** The same for a subject's own limit, in requests per minute. */
export const consumeOwnLimit = (limit: number, endpoint: string, subject: string): Promise<Verdict> =>
  limiter().take(limit, endpoint, subject)

/** The same in this process only, synchronously: for limits that protect this process and promise nothing to clients. */
export const consumeLocalLimit = (policy: PolicyName, endpoint: string, subject: string): Verdict =>
  limiter().takeHere(POLICIES[policy].rate(env()), endpoint, subject)
