import { eq, lt, sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../client'
import { loadUploads } from '../schema'

export type LoadUpload = typeof loadUploads.$inferSelect

/** Returns the upload in parts that a contractor has begun; undefined when there is none. */
export async function findUpload(orm: Orm, contractorId: string): Promise<LoadUpload | undefined> {
  const [found] = await orm.select().from(loadUploads).where(eq(loadUploads.contractorId, contractorId))
  return found
}

/** Begins an upload in parts. The one there was is dropped before. */
export async function beginUpload(orm: Orm, upload: Omit<LoadUpload, 'received'>): Promise<void> {
  await orm.insert(loadUploads).values({ ...upload, received: 0 })
}

/** Returns how many pieces one statement deletes: few on the embedded database, which answers nobody else meanwhile. */
export const piecesAtOnce = ({ driver }: Pick<Database, 'driver'>): number => (driver === 'pglite' ? 8 : 256)

/** The name of an upload whose bytes are being deleted; no sender can choose it. */
const DROPPED = ''

/** Marks a contractor's upload as dropped, so that nobody goes on with it while its bytes are deleted. */
export async function markDropped(orm: Orm, contractorId: string): Promise<void> {
  await orm.update(loadUploads).set({ upload: DROPPED }).where(eq(loadUploads.contractorId, contractorId))
}

/** Marks the uploads of all contractors that nobody went on with since a moment. */
export async function markAbandoned(orm: Orm, before: Date): Promise<void> {
  await orm.update(loadUploads).set({ upload: DROPPED }).where(lt(loadUploads.seenAt, before))
}

/** Deletes the next pieces of a contractor's upload, from an offset on. @returns where to go on; undefined after the last */
export async function dropPieces(
  orm: Orm,
  { contractorId, from, most }: { contractorId: string; from: number; most: number },
): Promise<number | undefined> {
  const [gone] = await rows<{ n: number; last: number | null }>(
    orm,
    sql`with gone as (delete from load_parts where contractor_id = ${contractorId} and at between ${from}::bigint and (
        select max(at) from (select at from load_parts
          where contractor_id = ${contractorId} and at >= ${from}::bigint order by at limit ${most}) first)
        returning at)
      select count(*)::int as n, max(at)::float8 as last from gone`,
  )
  return gone?.n === most && gone.last !== null ? gone.last + 1 : undefined
}

/** Deletes a contractor's upload once its pieces are gone. */
export async function deleteUpload(orm: Orm, contractorId: string): Promise<void> {
  await orm.delete(loadUploads).where(eq(loadUploads.contractorId, contractorId))
}

/**
 * Empties the table of pieces at once when no other contractor has an upload, which also gives the disk back; embedded database only.
 * @returns whether it did
 */
export async function emptyPieces(orm: Orm, contractorId: string): Promise<boolean> {
  return orm.transaction(async (tx) => {
    const [others] = await rows(tx, sql`select 1 from load_uploads where contractor_id <> ${contractorId} limit 1`)
    if (others) return false
    await tx.execute(sql`truncate load_parts`)
    return true
  })
}

/**
 * Stores the next bytes, in base64 on their way: the embedded database takes ten times as long to read them as hexadecimals.
 * @returns false when they are no longer the next: the upload was replaced, or others have sent these bytes
 */
export async function addPart(
  orm: Orm,
  {
    contractorId,
    upload,
    at,
    bytes,
    now,
  }: Pick<LoadUpload, 'contractorId' | 'upload'> & {
    at: number
    bytes: Uint8Array
    now: Date
  },
): Promise<boolean> {
  const stored = await rows<{ at: number }>(
    orm,
    sql`with moved as (
        update load_uploads set received = received + ${bytes.length}::int, seen_at = ${now.toISOString()}::timestamptz
        where contractor_id = ${contractorId} and upload = ${upload} and received = ${at}::bigint returning contractor_id)
      insert into load_parts (contractor_id, at, bytes) select contractor_id, ${at}::bigint, decode(${Buffer.from(bytes).toString('base64')}, 'base64') from moved
      returning 1 as at`,
  )
  return stored.length > 0
}

/** Returns the piece of an upload at an offset; undefined at its end. */
export async function readPart(orm: Orm, contractorId: string, at: number): Promise<Uint8Array | undefined> {
  const [found] = await rows<{ bytes: string }>(
    orm,
    sql`select encode(bytes, 'base64') as bytes from load_parts where contractor_id = ${contractorId} and at = ${at}::bigint`,
  )
  return found && Buffer.from(found.bytes, 'base64')
}
