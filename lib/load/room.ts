import { ServiceError } from '@/lib/core/errors'
import { shared } from '@/lib/core/shared'
import { INGEST } from '@/lib/core/uploads'

/** The embedded database gives the disk of deleted pieces back when it vacuums, every six hours. */
const WINDOW_MS = 6 * 3_600_000
const MOST_BYTES = 4 * INGEST.maxBytes

/** Bytes of a contractor's dropped uploads whose disk is not given back yet, and since when they are counted. */
export type Unreclaimed = { since: number; bytes: number }

const unreturned = shared<Map<string, Unreclaimed>>('unreturnedUploads', () => new Map())

/** Counts the bytes of an upload that was deleted piece by piece. */
export function countUnreclaimed(contractorId: string, bytes: number, now = Date.now()): void {
  for (const [id, { since }] of unreturned()) if (now - since > WINDOW_MS) unreturned().delete(id)
  const { since, bytes: before } = unreturned().get(contractorId) ?? { since: now, bytes: 0 }
  unreturned().set(contractorId, { since, bytes: before + bytes })
}

/**
 * Bounds the disk that a contractor fills by beginning uploads in parts one after the other.
 * @throws ServiceError `busy` when four times the largest file was dropped within six hours
 */
export function requireRoom(contractorId: string, now = Date.now()): void {
  const { since, bytes } = unreturned().get(contractorId) ?? { since: now, bytes: 0 }
  const left = since + WINDOW_MS - now
  if (bytes < MOST_BYTES || left <= 0) return
  throw new ServiceError(
    'busy',
    'Too many uploads in parts were sent in the last hours, and the server needs time to give their disk back. Send the file whole, or try again later.',
    { headers: { 'retry-after': String(Math.ceil(left / 1000)) } },
  )
}
