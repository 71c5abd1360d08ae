import { AsyncLocalStorage } from 'node:async_hooks'
import { shared } from './shared'

const rounded = (milliseconds: number) => Math.round(milliseconds)

/** A part of a request's time that passes outside of this process's own code: a statement, or something else that is waited for. */
export class Part {
  readonly began = performance.now()
  /** The milliseconds until it had a connection. */
  waitedMs = 0
  private waitsSince: number | undefined

  constructor(private readonly named: { readonly name: string }) {}

  get name(): string {
    return this.named.name
  }

  /** Notes that it waits for a connection from now on. */
  waits(): void {
    this.waitsSince ??= performance.now()
  }

  /** Notes that it has its connection. */
  goesOn(): void {
    if (this.waitsSince === undefined) return
    this.waitedMs += performance.now() - this.waitsSince
    this.waitsSince = undefined
  }

  /** Says what it has done so far. */
  describe(): string {
    const now = performance.now()
    if (this.waitsSince !== undefined)
      return `${this.name} waited ${rounded(now - this.waitsSince)} ms for a connection`
    const ran = `${this.name} ran for ${rounded(now - this.began - this.waitedMs)} ms`
    return this.waitedMs < 1 ? ran : `${ran}, after ${rounded(this.waitedMs)} ms of waiting for a connection`
  }
}

/** The parts of a request that have the same name. `ms` is without the wait for a connection. */
export type NamedPart = { name: string; ms: number; times: number }

/** Where a request's time went: waiting for connections, its parts with the longest first, and the rest, which is our own code. */
export type Shares = { waitedMs: number; oursMs: number; parts: NamedPart[] }

/** The most names that are kept of one request; what follows is summed up. */
const MOST_NAMES = 50
const MOST_SHOWN = 10
const OTHERS = 'others'

/** Collects the parts of one request. */
export class Parts {
  private readonly running = new Set<Part>()
  private readonly ended = new Map<string, { ms: number; waitedMs: number; times: number }>()
  private runningSince = 0
  private awayMs = 0
  /** The milliseconds that passed on purpose, such as in waiting for a change that a client asked to wait for. */
  asideMs = 0
  /** The first error by which the database said that it has too much to do, is full or away. */
  overload: unknown
  /** Gives the signal that nobody waits for the answer any more. */
  gone?: () => AbortSignal

  begin(part: Part): void {
    if (this.running.size === 0) this.runningSince = part.began
    this.running.add(part)
  }

  end(part: Part): void {
    const now = performance.now()
    this.running.delete(part)
    if (this.running.size === 0) this.awayMs += now - this.runningSince
    const isNew = !this.ended.has(part.name)
    const name = isNew && this.ended.size >= MOST_NAMES ? OTHERS : part.name
    const sum = this.ended.get(name) ?? { ms: 0, waitedMs: 0, times: 0 }
    sum.ms += now - part.began - part.waitedMs
    sum.waitedMs += part.waitedMs
    sum.times++
    this.ended.set(name, sum)
  }

  /** Says what is running now; undefined when nothing is. */
  describe(): string | undefined {
    return this.running.size === 0 ? undefined : [...this.running].map((part) => part.describe()).join('; ')
  }

  /** Divides the time of the whole request. What ran at the same time is counted once against our own. */
  sharesOf(durationMs: number): Shares {
    const sums = [...this.ended]
    const parts = sums
      .map(([name, { ms, times }]) => ({ name, ms: rounded(ms), times }))
      .sort((one, other) => other.ms - one.ms)
      .slice(0, MOST_SHOWN)
    return {
      waitedMs: rounded(sums.reduce((all, [, { waitedMs }]) => all + waitedMs, 0)),
      oursMs: Math.max(0, rounded(durationMs - this.awayMs)),
      parts,
    }
  }
}

const current = shared<AsyncLocalStorage<Parts>>('requestParts', () => new AsyncLocalStorage())

/** Returns the parts of the request or page that is being answered here; undefined outside of one. */
export const currentParts = (): Parts | undefined => current().getStore()

/** Runs the work of a request or a page, whose parts are collected. */
export const withParts = <T>(parts: Parts, work: () => T): T => current().run(parts, work)

async function timed<T>(name: string, work: () => Promise<T>, isAside: boolean): Promise<T> {
  const parts = currentParts()
  if (!parts) return work()
  const part = new Part({ name })
  parts.begin(part)
  try {
    return await work()
  } finally {
    parts.end(part)
    if (isAside) parts.asideMs += performance.now() - part.began
  }
}

/** Runs work that is a part of the request by itself, such as asking another service. */
export const asPart = <T>(name: string, work: () => Promise<T>): Promise<T> => timed(name, work, false)

/** The same for what takes as long as somebody else wants, which does not make the request slow. */
export const aside = <T>(name: string, work: () => Promise<T>): Promise<T> => timed(name, work, true)
