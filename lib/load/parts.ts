import { type Database, type Orm, withinContractor } from '@/db/client'
import {
  addPart,
  beginUpload,
  deleteUpload,
  dropPieces,
  emptyPieces,
  findUpload,
  type LoadUpload,
  markDropped,
  piecesAtOnce,
  readPart,
} from '@/db/queries/load-uploads'
import { ServiceError } from '@/lib/core/errors'
import { Pace } from '@/lib/core/slices'
import { countUnreclaimed, requireRoom } from './room'

/** An upload as its sender describes it with each part. */
export type Upload = Pick<LoadUpload, 'upload' | 'file' | 'encoding' | 'size'>

/** The bytes a part has, both ends included; `asks` instead of them only asks how far the upload has got. */
export type Range = { from: number; to: number; size: number } | { asks: true; size: number }

/** The bytes stored at once: small enough that the embedded database answers others in between. */
const PIECE = 64 * 1024

const count = (n: number) => n.toLocaleString('en-US')

/**
 * Reads the header `Content-Range` (RFC 9110, 14.4): `bytes 0-1048575/52428800`, or with an asterisk for the first two numbers, which only
 * asks how far the upload has got.
 * @throws ServiceError `bad_request`
 */
export function rangeOf(text: string): Range {
  const found = /^bytes (?:(\d{1,13})-(\d{1,13})|\*)\/(\d{1,13})$/.exec(text.trim())
  const [from, to, size] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0), Number(found?.[3] ?? 0)]
  if (found && size > 0 && found[1] === undefined) return { asks: true, size }
  if (found && from <= to && to < size) return { from, to, size }
  const message = 'must be like `bytes 0-1048575/52428800`: first byte, last byte, bytes in all; or `bytes */52428800`'
  throw new ServiceError('bad_request', `Content-Range: ${message}`, { fields: [{ field: 'Content-Range', message }] })
}

const elsewhere = (received: number, why: string) =>
  new ServiceError(
    'conflict',
    `${why} Go on after ${count(received)} bytes: Content-Range begins with \`bytes ${received}-\`.`,
  )

const isSame = (stored: LoadUpload | undefined, asked: Upload): stored is LoadUpload =>
  stored?.upload === asked.upload &&
  stored.file === asked.file &&
  stored.size === asked.size &&
  stored.encoding === asked.encoding

/** Cuts a stream into pieces of one size, from `skip` bytes on; the last one is what is left, also when the sender breaks off. */
export async function* piecesOf(body: AsyncIterable<Uint8Array>, skip: number): AsyncGenerator<Buffer> {
  let left = skip
  let held: Uint8Array[] = []
  let size = 0
  let broken: unknown
  try {
    for await (const chunk of body) {
      const fresh = chunk.subarray(Math.min(left, chunk.length))
      left -= chunk.length - fresh.length
      for (let at = 0; at < fresh.length; at += PIECE) {
        const part = fresh.subarray(at, at + PIECE)
        held.push(part)
        size += part.length
        if (size < PIECE) continue
        yield Buffer.concat(held)
        held = []
        size = 0
      }
    }
  } catch (error) {
    broken = error
  }
  if (size > 0) yield Buffer.concat(held)
  if (broken !== undefined) throw broken
}

/**
 * Stores a part of an upload as it arrives, so that what came before a broken connection counts. Bytes that are stored already are
 * passed over. A first part begins the upload, in place of another one that the contractor had.
 * @returns how many bytes are stored, without a gap, from the first on
 * @throws ServiceError `conflict` for a part that does not follow what is stored, `bad_request` for more bytes than the range has
 */
export async function storePart(
  db: Database,
  contractorId: string,
  asked: Upload,
  range: Range,
  body: AsyncIterable<Uint8Array>,
): Promise<number> {
  const found = await findUpload(db.orm, contractorId)
  let stored = isSame(found, asked) ? found.received : undefined
  if ('asks' in range) return stored ?? 0
  if (stored === undefined && range.from > 0)
    throw elsewhere(0, 'No such upload is stored; unfinished ones are kept for 24 hours, one for a contractor.')
  if (stored === undefined) {
    requireRoom(contractorId)
    if (found) await forgetUpload(db, contractorId)
    const begun = { ...asked, contractorId, seenAt: new Date() }
    await withinContractor(db.orm, contractorId, (orm) => beginUpload(orm, begun))
    stored = 0
  }
  if (range.from > stored) throw elsewhere(stored, 'This part does not follow the one before.')
  const pace = new Pace(db)
  for await (const bytes of piecesOf(body, stored - range.from)) {
    if (stored + bytes.length > range.to + 1)
      throw new ServiceError('bad_request', 'The body has more bytes than Content-Range says. Send them alike.')
    const part = { contractorId, upload: asked.upload, at: stored, bytes, now: new Date() }
    if (!(await withinContractor(db.orm, contractorId, (orm) => addPart(orm, part))))
      throw elsewhere(stored, 'Somebody else sends this upload, or began another one.')
    stored += bytes.length
    await pace.between()
  }
  return stored
}

/**
 * The bytes of a contractor's upload, one piece after the other.
 * @throws ServiceError `busy` when a piece is gone: a shorter file that is declared complete would delete what it lacks
 */
export async function* storedBytes(db: Database, contractorId: string, size: number): AsyncGenerator<Uint8Array> {
  const pace = new Pace(db)
  for (let at = 0; at < size; ) {
    const piece = await readPart(db.orm, contractorId, at)
    if (!piece)
      throw new ServiceError(
        'busy',
        'The upload was dropped while it was read. Nothing was loaded. Ask how far it has got, and send the rest.',
        { headers: { 'retry-after': '30' } },
      )
    yield piece
    at += piece.length
    await pace.between()
  }
}

/**
 * Forgets a contractor's upload, a few pieces at a time: all in one statement would hold the embedded database for seconds. What a
 * process leaves that dies meanwhile is marked, so that nobody goes on with it; retention deletes it.
 */
export async function forgetUpload(db: Database, contractorId: string): Promise<void> {
  const within = <T>(work: (orm: Orm) => Promise<T>) => withinContractor(db.orm, contractorId, work)
  const found = await findUpload(db.orm, contractorId)
  if (!found) return
  await within((orm) => markDropped(orm, contractorId))
  if (db.driver !== 'pglite' || !(await emptyPieces(db.orm, contractorId))) {
    if (db.driver === 'pglite') countUnreclaimed(contractorId, found.received)
    const pace = new Pace(db)
    const most = piecesAtOnce(db)
    for (let from: number | undefined = 0; from !== undefined; await pace.between()) {
      const next: number = from
      from = await within((orm) => dropPieces(orm, { contractorId, from: next, most }))
    }
  }
  await within((orm) => deleteUpload(orm, contractorId))
}
