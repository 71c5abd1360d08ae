import { setTimeout as sleep } from 'node:timers/promises'
import { database } from '@/db/client'
import { writeRequests } from '@/db/queries/request-log'
import { env } from '@/lib/core/env'
import { logFault } from '@/lib/core/log'
import { processWide } from '@/lib/core/shared'
import { batchQueue } from './queue'
import { lineOf, type RequestRecord } from './record'

/** Short enough that a request of the embedded database hardly waits behind one; ten thousand records are about 5 MB. */
const SETTINGS = { most: 250, everyMs: 500, capacity: 10_000, pauseMs: 2_000 }

/** `counted` is how many requests it stands for, where they get no row. */
type Item = { record: RequestRecord; counted: number | undefined }

async function write(batch: Item[]): Promise<void> {
  for (const item of batch) forgetCount(item)
  const lines = batch.map(({ record, counted }) => lineOf(record, counted))
  await writeRequests(await database(), lines).catch((fault) => {
    logFault('request log', fault)
    throw fault
  })
  const lost = queue().takeLost()
  if (lost > 0)
    logFault('request log', new Error(`${lost} requests were not written down: the database did not take them`))
}

const queue = processWide('request log', () => batchQueue<Item>(write, SETTINGS))
/** What is only counted waits as one item for all that are alike. */
const counts = processWide('request log counts', () => new Map<string, Item>())

const likeness = ({ keyId, address, endpoint, mcpMethod = '', status, errorCode = '' }: RequestRecord) =>
  `${keyId === undefined ? '' : `${keyId} ${address}`} ${endpoint} ${mcpMethod} ${status} ${errorCode}`

function forgetCount({ record, counted }: Item): void {
  if (counted !== undefined) counts().delete(likeness(record))
}

/**
 * Takes down a request that has ended; it is written within half a second. Nobody waits for it, and when the database is away it is
 * lost rather than held.
 * @param kept false where it is only counted, without a row of its own
 */
export function logRequest(record: RequestRecord, kept: boolean): void {
  if (kept) return void queue().add({ record, counted: undefined })
  const key = likeness(record)
  const before = counts().get(key)
  if (before?.counted !== undefined) {
    before.counted++
    return
  }
  // The others it stands for came with other keys, or none, so it is nobody's unless the key is known.
  const item = { record: { ...record, secretHash: undefined }, counted: 1 }
  if (queue().add(item)) counts().set(key, item)
}

/** Whether requests are written down at all. */
export const logsRequests = (): boolean => env().requestLogDays > 0

/** Resolves once every request that has ended is written down, or lost; for the end of a process and for tests. */
export const requestsLogged = (): Promise<void> => queue().settled()

type Holder = { hold?: (work: Promise<void>) => void; held?: Promise<void> | undefined }
const holder = processWide<Holder>('request log holder', () => ({}))

/** Says how this platform is asked not to end a process, or freeze a function, before work is done. */
export function setHold(hold: (work: Promise<void>) => void): void {
  holder().hold = hold
}

/** Keeps the process up until what was just taken down is written, where that has to be asked for. */
export function holdForLog(): void {
  const { hold } = holder()
  if (!hold || !logsRequests()) return
  // Who ends within the same half second waits for the same batch.
  holder().held ??= sleep(SETTINGS.everyMs).then(() => {
    holder().held = undefined
    return requestsLogged()
  })
  hold(holder().held ?? Promise.resolve())
}
