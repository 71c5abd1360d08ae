import { randomFillSync, randomUUID } from 'node:crypto'
import { encodeTime, monotonicFactory, ulid } from 'ulid'

const PREFIXES = {
  contractor: 'con',
  key: 'key',
  delivery: 'dlv',
  material: 'mat',
  projectMaterial: 'prm',
  person: 'psn',
  invitation: 'ivt',
  audit: 'aud',
  permit: 'pmt',
  document: 'doc',
  savedFilter: 'sfl',
  message: 'msg',
  note: 'nte',
  followUp: 'fup',
  webhook: 'whk',
  webhookDelivery: 'whd',
  load: 'lod',
  grant: 'grt',
  source: 'src',
  sourceRun: 'run',
  draft: 'drf',
  draftFile: 'drl',
  connectorRun: 'crn',
} as const

const pool = new Uint8Array(4096)
let used = pool.length

/**
 * A random fraction for one of 32 characters; a byte divides evenly. Random bytes are drawn 4 KB at a time because each draw is
 * costly.
 */
function randomFraction(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return (pool[used++] ?? 0) / 256
}

/** Makes ids that are each one more than the last within a millisecond; a clock set back goes on from the last. */
const nextUlid = monotonicFactory(randomFraction)

/**
 * A new id for a resource's record: its prefix and a ULID in lower case, so that later rows sort later, also those that one process makes
 * within a millisecond (github.com/ulid/spec, monotonicity).
 * @param at its moment; now if left out
 */
export const newRecordId = (prefix: string, at?: Date): string =>
  `${prefix}_${(at ? ulid(at.getTime(), randomFraction) : nextUlid()).toLowerCase()}`

/** The same for what is no resource of the API, by its noun. */
export const newId = (noun: keyof typeof PREFIXES, at?: Date): string => newRecordId(PREFIXES[noun], at)

/** Sorts before every id of a noun created at a moment or later, and after every earlier one. */
export function firstIdAt(noun: keyof typeof PREFIXES, at: Date): string {
  return `${PREFIXES[noun]}_${encodeTime(at.getTime()).toLowerCase()}`
}

/** Reports whether a string has the form of a noun's id; the row need not exist. */
export function isId(noun: keyof typeof PREFIXES, value: string): boolean {
  return (
    value.startsWith(`${PREFIXES[noun]}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(value.slice(PREFIXES[noun].length + 1))
  )
}

/** Milliseconds since 1970 as the first half of a UUID of version 7 (RFC 9562, 5.7). */
function uuidTime(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7`
}

/** The most that twelve bits count. */
const MOST_IN_MS = 0xfff

/**
 * An id for one request, returned in `X-Request-Id` and in every error: a UUID of version 7, so that the request log's index grows
 * at one end. The requests of a process within a millisecond are counted (RFC 9562, 6.2, method 1), so that the log has them in their order.
 */
export function newRequestId(): string {
  const now = Date.now()
  if (now !== present.at) present = { at: now, prefix: `req_${uuidTime(now)}`, count: 0 }
  else if (present.count < MOST_IN_MS) present.count++
  return present.prefix + present.count.toString(16).padStart(3, '0') + randomUUID().slice(18)
}

/** An id for a request that was made at a moment of the past, such as those of a demonstration. */
export const requestIdAt = (at: number): string => `req_${uuidTime(at)}000${randomUUID().slice(18)}`

let present = { at: 0, prefix: '', count: 0 }

/** Sorts before the UUID of every request that began at a moment or later. */
export const firstRequestUuidAt = (at: Date): string => `${uuidTime(at.getTime())}000-8000-000000000000`

/** The part before the epoch milliseconds of an invoice's or payment's id: `inv_<project id>_` (specification 2.4, 2.5). */
export const momentIdPrefix = (prefix: string, projectId: string) => `${prefix}_${projectId}_`
