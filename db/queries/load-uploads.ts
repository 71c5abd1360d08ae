import { eq, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { loadUploads } from '../schema'

export type LoadUpload = typeof loadUploads.$inferSelect

/** Returns the upload in parts that a contractor has begun; undefined when there is none. */
export async function findUpload(orm: Orm, contractorId: string): Promise<LoadUpload | undefined> {
  const [found] = await orm.select().from(loadUploads).where(eq(loadUploads.contractorId, contractorId))
  return found
}

/** Begins an upload in parts in place of the one there was. */
export async function beginUpload(orm: Orm, upload: Omit<LoadUpload, 'received'>): Promise<void> {
  await dropUpload(orm, upload.contractorId)
  await orm.insert(loadUploads).values({ ...upload, received: 0 })
}

/** Deletes a contractor's upload with its bytes. */
export async function dropUpload(orm: Orm, contractorId: string): Promise<void> {
  await orm.delete(loadUploads).where(eq(loadUploads.contractorId, contractorId))
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
