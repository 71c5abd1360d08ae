import { setTimeout as sleep } from 'node:timers/promises'
import { database } from '@/db/client'
import { noteForgotten } from '@/db/queries/freshness'
import { markAbandoned, piecesAtOnce } from '@/db/queries/load-uploads'
import { type Bounds, countExpired, EXPIRED_KINDS, type ExpiredKind, removeExpired } from '@/db/queries/retention'
import { env } from '@/lib/core/env'
import { firstIdAt, firstRequestUuidAt } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { part } from '@/lib/runtime/runtime'

const DAY_MS = 86_400_000
/**
 * Refused sign-ins are mostly guesses by strangers: kept long enough to investigate, and not so long that a flood fills the disk.
 */
const REFUSED_SIGN_IN_DAYS = 30
/** How long a client may be away and still go on from its cursor; documented for developers. */
const CHANGE_DAYS = 90
const AT_ONCE = 1_000
/** A pause between batches lets other statements run: the embedded database has one connection. */
const PAUSE_MS = 50
const FIRST_AFTER_MS = 60_000
const EVERY_MS = 3_600_000

/** The result of a run. `complete` is false when its time ran out before everything was checked; the next run continues. */
export type RetentionReport = { dryRun: boolean; complete: boolean; removed: Record<string, number>; total: number }

type Run = {
  now?: Date
  /** Count only. */
  dryRun?: boolean | undefined
  /** Milliseconds after which no further batch begins. */
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
    changesFrom: new Date(now.getTime() - CHANGE_DAYS * DAY_MS),
    uploadsFrom: new Date(now.getTime() - DAY_MS),
    firstDelivery: firstIdAt('delivery', new Date(now.getTime() - leadDeliveryDays * DAY_MS)),
  }
}

async function removeAll(kind: ExpiredKind, bounds: Bounds, end: number): Promise<number> {
  const db = await database()
  const isParts = kind === 'loadParts' || kind === 'loadDraftParts'
  const most = isParts ? piecesAtOnce(db) : AT_ONCE
  if (kind === 'changes') await noteForgotten(db.orm, bounds.changesFrom)
  if (kind === 'loadParts') await markAbandoned(db.orm, bounds.uploadsFrom)
  for (let total = 0; ; await sleep(PAUSE_MS)) {
    if (performance.now() > end) return total
    const removed = await removeExpired(db.orm, kind, bounds, most)
    total += removed
    if (removed < most) return total
  }
}

/**
 * Deletes everything past its retention period (settings `REQUEST_LOG_DAYS`, `LEAD_DELIVERY_DAYS`; refused sign-ins after 30 days;
 * changes, loads, runs of sources and of connectors after 90, unfinished uploads and dropped files after one; sessions, sign-in steps and the explorer's keys at their own expiry; superseded entries of the search queue),
 * a thousand rows at a time, and pieces of uploads a few at a time.
 * @returns how many of each kind; with `dryRun` how many there are to delete
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

const timer = part('retentionTimer', () => ({}))

/** Runs retention a minute after startup and then every hour; call once, in long-lived processes. */
export function scheduleRetention(): void {
  if (timer().current) return
  timer().current = true
  const run = () => void runRetention().catch((fault) => logFault({ operation: 'retention' }, fault))
  setTimeout(run, FIRST_AFTER_MS).unref()
  setInterval(run, EVERY_MS).unref()
}
