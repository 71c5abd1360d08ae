import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { database } from '@/db/client'
import { noteForgotten } from '@/db/queries/freshness'
import { markAbandoned, piecesAtOnce } from '@/db/queries/load-uploads'
import { addRequestDays, countExpiredDays, dropExpiredDays } from '@/db/queries/request-log'
import {
  type Bounds,
  countExpired,
  EXPIRED_KINDS,
  type ExpiredKind,
  FIRST,
  removeExpired,
} from '@/db/queries/retention'
import { env } from '@/lib/core/env'
import { firstIdAt, firstRequestUuidAt } from '@/lib/core/ids'
import { log, logFault } from '@/lib/core/log'
import { OUTBOX_FOLDER } from '@/lib/core/outbox'
import { stopping } from '@/lib/core/stopping'

/** Returns the paths of the emails in the outbox folder that were written before a time; none where there is no folder. */
async function filesBefore(before: Date): Promise<string[]> {
  const folder = join(/* turbopackIgnore: true */ env().dataDir, OUTBOX_FOLDER)
  const names = await readdir(folder).catch(() => [])
  const old: string[] = []
  for (const name of names) {
    const path = join(/* turbopackIgnore: true */ folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile() && found.mtime < before) old.push(path)
  }
  return old
}

/** Counts the emails in the outbox folder that were written before a time. */
const countOldFiles = async (before: Date): Promise<number> => (await filesBefore(before)).length

/** Deletes the emails in the outbox folder that were written before a time. Returns how many. */
async function removeOldFiles(before: Date): Promise<number> {
  const old = await filesBefore(before)
  for (const path of old) await rm(path, { force: true })
  return old.length
}

const DAY_MS = 86_400_000
/**
 * The days refused sign-ins are kept. They are mostly guesses by strangers: kept long enough to investigate, and not so long that a flood
 * fills the disk.
 */
const REFUSED_SIGN_IN_DAYS = 30
/** The days a client may be away and still go on from its cursor; documented for developers. */
const CHANGE_DAYS = 90
const AT_ONCE = 1_000
/** A pause between batches lets other statements run: the embedded database has one connection. */
const PAUSE_MS = 50
/** The longest turn of a kind before the others have theirs. */
const TURN_MS = 2_000

/**
 * The result of a run: how much of each kind. `complete` is false when its time ran out, or a kind failed, before everything was deleted;
 * `unfinished` names those kinds, and the next run continues.
 */
export type RetentionReport = {
  dryRun: boolean
  complete: boolean
  unfinished: string[]
  removed: Record<string, number>
  total: number
}

type Run = {
  now?: Date
  /** Counts only. */
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
    // Requests go by whole days (UTC).
    firstRequest: firstRequestUuidAt(new Date(Math.floor(requestsFrom.getTime() / DAY_MS) * DAY_MS)),
    changesFrom: new Date(now.getTime() - CHANGE_DAYS * DAY_MS),
    uploadsFrom: new Date(now.getTime() - DAY_MS),
    firstDelivery: firstIdAt('delivery', new Date(now.getTime() - leadDeliveryDays * DAY_MS)),
  }
}

/** What is deleted at once rather than in batches: partitions of the request log, and files. */
const WHOLE = {
  requestDays: {
    count: async ({ firstRequest }: Bounds) => countExpiredDays((await database()).orm, firstRequest),
    remove: async ({ now, firstRequest }: Bounds) => {
      const { orm } = await database()
      await addRequestDays(orm, now)
      return dropExpiredDays(orm, firstRequest)
    },
  },
  outboxFiles: {
    count: ({ refusedSignInsFrom }: Bounds) => countOldFiles(refusedSignInsFrom),
    remove: ({ refusedSignInsFrom }: Bounds) => removeOldFiles(refusedSignInsFrom),
  },
} as const

/** Deletes rows of a kind until none is left or its turn is over. */
async function removeFor(
  kind: ExpiredKind,
  bounds: Bounds,
  end: number,
): Promise<{ removed: number; isDone: boolean }> {
  const db = await database()
  const isParts = kind === 'loadParts' || kind === 'loadDraftParts'
  const most = isParts ? piecesAtOnce(db) : AT_ONCE
  if (kind === 'changes') await noteForgotten(db.orm, bounds.changesFrom)
  if (kind === 'loadParts') await markAbandoned(db.orm, bounds.uploadsFrom)
  for (let removed = 0; ; await sleep(PAUSE_MS)) {
    const gone = await removeExpired(db.orm, kind, bounds, most)
    removed += gone
    if (gone < most) return { removed, isDone: true }
    if (performance.now() > end) return { removed, isDone: false }
  }
}

/** Deletes in turns: however many rows a kind has, every other one has its share of the time. */
class Turns {
  readonly removed: Record<string, number> = {}
  /** The kinds that failed. */
  private readonly failed = new Set<string>()
  private readonly waiting: Set<ExpiredKind> = new Set(EXPIRED_KINDS)

  constructor(
    private readonly bounds: Bounds,
    private readonly end: number,
  ) {
    for (const kind of [...Object.keys(WHOLE), ...EXPIRED_KINDS]) this.removed[kind] = 0
  }

  get unfinished(): string[] {
    return [...this.failed, ...this.waiting]
  }

  private get isOver(): boolean {
    return performance.now() > this.end || stopping().aborted
  }

  /** Does the work of a kind; one that fails keeps no other from its turn. */
  private async attempt(kind: string, work: () => Promise<number>): Promise<boolean> {
    try {
      this.removed[kind] = (this.removed[kind] ?? 0) + (await work())
      return true
    } catch (fault) {
      this.failed.add(kind)
      logFault({ operation: 'retention', kind }, fault)
      return false
    }
  }

  private async turn(kind: ExpiredKind, milliseconds: number): Promise<void> {
    const until = Math.min(this.end, performance.now() + milliseconds)
    const isWell = await this.attempt(kind, async () => {
      const { removed, isDone } = await removeFor(kind, this.bounds, until)
      if (isDone) this.waiting.delete(kind)
      return removed
    })
    if (!isWell) this.waiting.delete(kind)
  }

  async run(): Promise<void> {
    for (const [kind, { remove }] of Object.entries(WHOLE)) {
      if (this.isOver) this.failed.add(kind)
      else await this.attempt(kind, () => remove(this.bounds))
    }
    while (this.waiting.size > 0 && !this.isOver) await this.round()
  }

  private async round(): Promise<void> {
    const turns = [...this.waiting]
    for (const [at, kind] of turns.entries()) {
      const first = FIRST[kind]
      if (first && this.unfinished.includes(first)) {
        // It goes with the next run when what comes first has failed.
        if (!this.waiting.has(first)) this.fail(kind)
        continue
      }
      if (this.isOver) return
      await this.turn(kind, Math.min(TURN_MS, (this.end - performance.now()) / (turns.length - at)))
    }
  }

  private fail(kind: ExpiredKind): void {
    this.waiting.delete(kind)
    this.failed.add(kind)
  }
}

const sumOf = (removed: Record<string, number>) => Object.values(removed).reduce((sum, n) => sum + n, 0)

/** Counts what a run would delete. */
async function countAll(bounds: Bounds): Promise<RetentionReport> {
  const removed: Record<string, number> = {}
  for (const [kind, { count }] of Object.entries(WHOLE)) removed[kind] = await count(bounds)
  for (const kind of EXPIRED_KINDS) removed[kind] = await countExpired((await database()).orm, kind, bounds)
  return { dryRun: true, complete: true, unfinished: [], removed, total: sumOf(removed) }
}

/**
 * Deletes everything past its retention period (settings `REQUEST_LOG_DAYS`, `LEAD_DELIVERY_DAYS`; refused sign-ins and emails in the outbox
 * folder after 30 days; changes, changes of status, loads, runs of sources and of connectors after 90, unfinished uploads and dropped files
 * after one; sessions, sign-in steps and the explorer's keys at their own expiry; superseded entries of the search queue). Days of the request
 * log are dropped whole; everything else goes in turns, a thousand rows at a time, and pieces of uploads a few at a time. A run whose time is
 * up before everything is deleted logs a warning that names what is left.
 * @returns how many of each kind; with `dryRun` how many there are to delete, requests of whole days too
 */
export async function runRetention({ now = new Date(), dryRun = false, budgetMs }: Run = {}): Promise<RetentionReport> {
  const bounds = boundsAt(now)
  if (dryRun) return countAll(bounds)
  const turns = new Turns(bounds, performance.now() + (budgetMs ?? Number.POSITIVE_INFINITY))
  await turns.run()
  const { removed, unfinished } = turns
  if (unfinished.length > 0 && !stopping().aborted)
    log(
      'warn',
      { operation: 'retention', unfinished: unfinished.join(' ') },
      `retention did not finish; left for the next run: ${unfinished.join(', ')}`,
    )
  return { dryRun, complete: unfinished.length === 0, unfinished, removed, total: sumOf(removed) }
}
