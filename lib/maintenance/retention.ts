import { setTimeout as sleep } from 'node:timers/promises'
import { database } from '@/db/client'
import { type Bounds, countExpired, EXPIRED_KINDS, type ExpiredKind, removeExpired } from '@/db/queries/retention'
import { env } from '@/lib/core/env'
import { firstIdAt, firstRequestUuidAt } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { processWide } from '@/lib/core/shared'

const DAY_MS = 86_400_000
/** Refused sign-ins are mostly strangers' guesses: long enough to look into, and no store for a flood of them. */
const REFUSED_SIGN_IN_DAYS = 30
const AT_ONCE = 1_000
/** Between batches others get their turn: the embedded database has one connection. */
const PAUSE_MS = 50
const FIRST_AFTER_MS = 60_000
const EVERY_MS = 3_600_000

/** What a run did. `complete` is false when its time was over before everything was looked at; the next run goes on. */
export type RetentionReport = { dryRun: boolean; complete: boolean; removed: Record<string, number>; total: number }

type Run = {
  now?: Date
  /** Counts only. */
  dryRun?: boolean | undefined
  /** Milliseconds after which no further batch is begun. */
  budgetMs?: number
}

function boundsAt(now: Date): Bounds {
  const { requestLogDays, leadDeliveryDays } = env()
  const requestsFrom = new Date(now.getTime() - requestLogDays * DAY_MS)
  return {
    now,
    requestsFrom,
    refusedSignInsFrom: new Date(now.getTime() - REFUSED_SIGN_IN_DAYS * DAY_MS),
    firstRequest: firstRequestUuidAt(requestsFrom),
    firstDelivery: firstIdAt('delivery', new Date(now.getTime() - leadDeliveryDays * DAY_MS)),
  }
}

async function removeAll(kind: ExpiredKind, bounds: Bounds, end: number): Promise<number> {
  const { orm } = await database()
  for (let total = 0; ; await sleep(PAUSE_MS)) {
    if (performance.now() > end) return total
    const removed = await removeExpired(orm, kind, bounds, AT_ONCE)
    total += removed
    if (removed < AT_ONCE) return total
  }
}

/**
 * Removes everything that is kept for a time and has had it (settings `REQUEST_LOG_DAYS`, `LEAD_DELIVERY_DAYS`; refused
 * sign-ins after 30 days; sessions, steps of sign-ins and the explorer's keys by their own expiry; superseded entries of the search queue), a thousand rows at a time.
 * @returns how many of each kind; with `dryRun` how many there are to remove
 */
export async function runRetention({ now = new Date(), dryRun = false, budgetMs }: Run = {}): Promise<RetentionReport> {
  const bounds = boundsAt(now)
  const end = performance.now() + (budgetMs ?? Number.POSITIVE_INFINITY)
  const removed: Record<string, number> = {}
  for (const kind of EXPIRED_KINDS) {
    removed[kind] = dryRun
      ? await countExpired((await database()).orm, kind, bounds)
      : await removeAll(kind, bounds, end)
  }
  const total = Object.values(removed).reduce((sum, n) => sum + n, 0)
  return { dryRun, complete: performance.now() <= end, removed, total }
}

const timer = processWide<{ set: boolean }>('retention timer', () => ({ set: false }))

/** Runs it a minute after the start and then every hour, beside the requests; for processes that live on, and once for each. */
export function scheduleRetention(): void {
  if (timer().set) return
  timer().set = true
  const run = () => void runRetention().catch((fault) => logFault({ operation: 'retention' }, fault))
  setTimeout(run, FIRST_AFTER_MS).unref()
  setInterval(run, EVERY_MS).unref()
}
