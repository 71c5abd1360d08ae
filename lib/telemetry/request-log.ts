import { setTimeout as sleep } from 'node:timers/promises'
import { env } from '@/lib/core/env'
import { log } from '@/lib/core/log'
import { shared } from '@/lib/core/shared'
import type { Queue } from '@/lib/telemetry/queue'
import { batchQueue } from './queue'
import type { RequestRecord } from './record'

/** Settings small enough that a request rarely waits for a batch in the embedded database; ten thousand records are about 5 MB. */
const SETTINGS = { most: 250, everyMs: 500, capacity: 10_000, pauseMs: 2_000 }

/** An item; `counted` is how many requests it stands for when they get no rows. */
export type Item = { record: RequestRecord; counted: number | undefined }

/** Writes a batch of rows to the database. */
export type WriteRows = (batch: Item[]) => Promise<void>

/** The functions that the entry provides to the log: writing to the database, and asking the platform to wait until rows are written. */
export type LogLinks = {
  write?: WriteRows
  hold?: (work: Promise<void>) => void
  held?: Promise<void> | undefined
  /** Runs once, behind the first answer. */
  first?: (() => Promise<void>) | undefined
}
const links = shared<LogLinks>('requestLogLinks', () => ({}))

/** Sets how rows are written. The entry does, because the middleware imports this module and must not import the database. */
export function writeRowsWith(write: WriteRows): void {
  links().write = write
}

async function write(batch: Item[]): Promise<void> {
  for (const item of batch) forgetCount(item)
  await links().write?.(batch)
  const lost = queue().takeLost()
  if (lost > 0)
    log('error', { operation: 'request log', lost }, 'requests were not logged: the database did not accept them')
}

const queue = shared<Queue<Item>>('requestLog', () => batchQueue<Item>(write, SETTINGS))
/** Requests that are only counted, with one waiting item for each group of similar ones. */
const counts = shared<Map<string, Item>>('requestCounts', () => new Map())

const likeness = ({ keyId, address, endpoint, mcpMethod = '', status, errorCode = '' }: RequestRecord) =>
  `${keyId === undefined ? '' : `${keyId} ${address}`} ${endpoint} ${mcpMethod} ${status} ${errorCode}`

function forgetCount({ record, counted }: Item): void {
  if (counted !== undefined) counts().delete(likeness(record))
}

/** Logs a refused request as a line when the process cannot write rows: the middleware, where the platform runs it as its own function. */
function logLine({ requestId, endpoint: operation, method, status, errorCode }: RequestRecord): void {
  log('info', { requestId, operation, method, status, errorCode }, 'request refused, not in the request log')
}

/**
 * Logs a finished request; it is written within half a second. Nobody waits for it, and if the database is down it is lost rather
 * than held.
 * @param kept false when it is only counted, without its own row
 */
export function logRequest(record: RequestRecord, kept: boolean): void {
  if (!links().write) {
    if (kept && record.status >= 400) logLine(record)
    return
  }
  if (kept) return void queue().add({ record, counted: undefined })
  const key = likeness(record)
  const before = counts().get(key)
  if (before?.counted !== undefined) {
    before.counted++
    return
  }
  // The requests it stands for came with different keys or none, so it belongs to nobody unless the key is known.
  const item = { record: { ...record, secretHash: undefined }, counted: 1 }
  if (queue().add(item)) counts().set(key, item)
}

/** Reports whether requests are logged at all. */
export const logsRequests = (): boolean => env().requestLogDays > 0

/** Resolves once every finished request is written or lost; for the end of a process and for tests. */
export const requestsLogged = (): Promise<void> => queue().settled()

/** Requests that wait to be written, and requests that were lost. */
export const requestLogState = () => queue().state()

/**
 * Sets how to ask this platform not to freeze a function before work is done.
 * @param first what is done once, behind the first answer
 */
export function setHold(hold: (work: Promise<void>) => void, first: () => Promise<void>): void {
  Object.assign(links(), { hold, first })
}

/** Keeps a function until the last logged request is written, where the platform needs to be asked. */
export function holdForLog(): void {
  const { hold, first } = links()
  if (!hold) return
  if (first) {
    links().first = undefined
    hold(sleep(SETTINGS.everyMs).then(first))
  }
  if (!logsRequests()) return
  // Requests that finish within the same half second share a batch.
  links().held ??= sleep(SETTINGS.everyMs).then(() => {
    links().held = undefined
    return requestsLogged()
  })
  hold(links().held ?? Promise.resolve())
}
