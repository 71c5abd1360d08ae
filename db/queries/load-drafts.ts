import { and, asc, desc, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { loadDraftFiles, loadDraftParts, loadDrafts } from '../schema'

export type LoadDraft = typeof loadDrafts.$inferSelect
export type DraftFile = typeof loadDraftFiles.$inferSelect

/** Returns the condition for drafts of a person, or of a source. */
const heldBy = (sourceId: string | null) =>
  sourceId === null ? isNull(loadDrafts.sourceId) : eq(loadDrafts.sourceId, sourceId)

const ofContractor = (contractorId: string) => eq(loadDrafts.contractorId, contractorId)
const isTheirs = (contractorId: string, id: string) => and(ofContractor(contractorId), eq(loadDrafts.id, id))

export async function insertDraft(orm: Orm, draft: typeof loadDrafts.$inferInsert): Promise<void> {
  await orm.insert(loadDrafts).values(draft)
}

/** Returns a draft that was made after a moment and is not dropped. */
export async function findLoadDraft(
  orm: Orm,
  contractorId: string,
  id: string,
  after: Date,
): Promise<LoadDraft | undefined> {
  const isHeld = and(isTheirs(contractorId, id), eq(loadDrafts.isDropped, false), gt(loadDrafts.createdAt, after))
  const [found] = await orm.select().from(loadDrafts).where(isHeld)
  return found
}

/** Returns the drafts of a person or a source that are not dropped, the newest first. */
export async function listDrafts(orm: Orm, contractorId: string, sourceId: string | null): Promise<LoadDraft[]> {
  return await orm
    .select()
    .from(loadDrafts)
    .where(and(ofContractor(contractorId), heldBy(sourceId), eq(loadDrafts.isDropped, false)))
    .orderBy(desc(loadDrafts.createdAt), desc(loadDrafts.id))
}

/** Marks a draft as dropped, so that nobody finds it while its bytes are deleted. */
export async function markDraftDropped(orm: Orm, contractorId: string, id: string): Promise<void> {
  await orm.update(loadDrafts).set({ isDropped: true }).where(isTheirs(contractorId, id))
}

/** Shows a draft that was hidden until all of it was there. */
export async function showDraft(orm: Orm, contractorId: string, id: string): Promise<void> {
  await orm.update(loadDrafts).set({ isDropped: false }).where(isTheirs(contractorId, id))
}

/** Deletes a draft once its files are gone. */
export async function deleteDraft(orm: Orm, contractorId: string, id: string): Promise<void> {
  await orm.delete(loadDrafts).where(isTheirs(contractorId, id))
}

const inDraft = (contractorId: string, draftId: string, ...more: (SQL | undefined)[]) =>
  and(eq(loadDraftFiles.contractorId, contractorId), eq(loadDraftFiles.draftId, draftId), ...more)

/** Returns the files of a draft in some state and role, by their names. */
export async function draftFiles(
  orm: Orm,
  contractorId: string,
  draftId: string,
  { role, state }: Partial<Pick<DraftFile, 'role' | 'state'>> = {},
): Promise<DraftFile[]> {
  const has = [role && eq(loadDraftFiles.role, role), state && eq(loadDraftFiles.state, state)]
  return await orm
    .select()
    .from(loadDraftFiles)
    .where(inDraft(contractorId, draftId, ...has))
    .orderBy(asc(sql`${loadDraftFiles.file} collate "C"`))
}

export async function insertDraftFile(orm: Orm, file: typeof loadDraftFiles.$inferInsert): Promise<void> {
  await orm.insert(loadDraftFiles).values(file)
}

export async function changeDraftFile(
  orm: Orm,
  contractorId: string,
  id: string,
  changes: Partial<Pick<DraftFile, 'state'>>,
): Promise<void> {
  await orm
    .update(loadDraftFiles)
    .set(changes)
    .where(and(eq(loadDraftFiles.contractorId, contractorId), eq(loadDraftFiles.id, id)))
}

/** Marks files as gone, so that nobody reads them while their bytes are deleted. */
export async function markFilesGone(orm: Orm, contractorId: string, ids: string[]): Promise<void> {
  await orm
    .update(loadDraftFiles)
    .set({ state: 'gone' })
    .where(and(eq(loadDraftFiles.contractorId, contractorId), inArray(loadDraftFiles.id, ids)))
}

export async function deleteDraftFile(orm: Orm, contractorId: string, id: string): Promise<void> {
  await orm.delete(loadDraftFiles).where(and(eq(loadDraftFiles.contractorId, contractorId), eq(loadDraftFiles.id, id)))
}

/** Sums the bytes held for a contractor: for people, or for sources. */
export async function sumDraftBytes(orm: Orm, contractorId: string, holder: 'people' | 'sources'): Promise<number> {
  const [found] = await rows<{ n: number }>(
    orm,
    sql`select coalesce(sum(f.size), 0)::float8 as n from load_draft_files f join load_drafts d on d.id = f.draft_id
      where f.contractor_id = ${contractorId} and f.state <> 'gone' and (d.source_id is null) = ${holder === 'people'}`,
  )
  return found?.n ?? 0
}

/**
 * Stores the next bytes of a file, in base64 on their way: the embedded database takes ten times as long to read them as hexadecimals.
 * @returns false when the file is gone
 */
export async function addDraftPart(
  orm: Orm,
  { contractorId, fileId, at, bytes }: { contractorId: string; fileId: string; at: number; bytes: Uint8Array },
): Promise<boolean> {
  const stored = await rows<{ at: number }>(
    orm,
    sql`with grown as (
        update load_draft_files set size = size + ${bytes.length}::int
        where id = ${fileId} and contractor_id = ${contractorId} and state = 'arriving' and size = ${at}::bigint returning id)
      insert into load_draft_parts (contractor_id, file_id, at, bytes)
        select ${contractorId}, id, ${at}::bigint, decode(${Buffer.from(bytes).toString('base64')}, 'base64') from grown
      returning 1 as at`,
  )
  return stored.length > 0
}

/** Returns the piece of a file at an offset; undefined where there is none. */
export async function readDraftPart(
  orm: Orm,
  contractorId: string,
  fileId: string,
  at: number,
): Promise<Uint8Array | undefined> {
  const [found] = await rows<{ bytes: string }>(
    orm,
    sql`select encode(bytes, 'base64') as bytes from load_draft_parts
      where contractor_id = ${contractorId} and file_id = ${fileId} and at = ${at}::bigint`,
  )
  return found && Buffer.from(found.bytes, 'base64')
}

/** Deletes some pieces of a file. @returns whether there may be more */
export async function dropDraftParts(orm: Orm, contractorId: string, fileId: string, most: number): Promise<boolean> {
  const isOfFile = and(eq(loadDraftParts.contractorId, contractorId), eq(loadDraftParts.fileId, fileId))
  const next = orm.select({ at: loadDraftParts.at }).from(loadDraftParts).where(isOfFile).limit(most)
  const gone = await orm
    .delete(loadDraftParts)
    .where(and(isOfFile, inArray(loadDraftParts.at, next)))
    .returning({ at: loadDraftParts.at })
  return gone.length === most
}
