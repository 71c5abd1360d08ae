import { type Orm, withinContractor } from '@/db/client'
import {
  draftFiles,
  findLoadDraft,
  insertDraft,
  type LoadDraft,
  listDrafts,
  markFilesGone,
} from '@/db/queries/load-drafts'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { UPLOAD } from '@/lib/core/uploads'
import { forgetDraft, forgetFiles, type Holder, storeFile } from './draft-bytes'
import { DRAFT_LIMITS } from './draft-limits'
import { mayBeTable } from './join/find'
import { requireRoom } from './room'

/** The most drafts of a contractor's people that are held, and the most files of one. */
const MOST_DRAFTS = 3
const MOST_FILES = 20

const gone = () =>
  new ServiceError('not_found', 'These files are no longer on the server: they are held for a day. Drop them again.')

/** Returns a draft of a contractor. @throws ServiceError `not_found` when it is gone or of another contractor */
export async function findDraft({ db, contractorId }: Holder, id: string): Promise<LoadDraft> {
  const found = await findLoadDraft(db.orm, contractorId, id, new Date(Date.now() - DRAFT_LIMITS.sources.ms))
  if (!found) throw gone()
  const { ms } = found.sourceId === null ? DRAFT_LIMITS.people : DRAFT_LIMITS.sources
  if (found.createdAt.getTime() + ms < Date.now()) throw gone()
  return found
}

/** Begins a draft, hidden until it is shown where that is asked; of a person's, the oldest are dropped, so that one more is at most as many as are held. */
export async function newDraft(holder: Holder, sourceId: string | null = null, isHidden = false): Promise<LoadDraft> {
  const { db, contractorId } = holder
  requireRoom(contractorId)
  if (sourceId === null)
    for (const { id } of (await listDrafts(db.orm, contractorId, null)).slice(MOST_DRAFTS - 1))
      await forgetDraft(holder, id)
  const draft = { id: newId('draft'), contractorId, sourceId, createdAt: new Date(), isDropped: isHidden }
  await withinContractor(db.orm, contractorId, (orm) => insertDraft(orm, draft))
  return draft
}

/** The names of the files of a draft. */
export async function filesIn({ db, contractorId }: Holder, draftId: string): Promise<string[]> {
  const found = await draftFiles(db.orm, contractorId, draftId, { role: 'dropped', state: 'whole' })
  return found.map(({ file }) => file)
}

/** The most bytes: file systems take names of 255 bytes; the file of refused rows adds some. */
const MOST_NAME_BYTES = 200

/** Reports whether a name can be that of a file in a folder. */
export const isFileName = (file: string): boolean =>
  /^[^/\\\p{Cc}]{1,150}$/u.test(file) && !file.startsWith('.') && Buffer.byteLength(file) <= MOST_NAME_BYTES

/** @throws ServiceError `bad_request` for what is no name of a table */
function requireName(file: string): void {
  if (!isFileName(file))
    throw new ServiceError(
      'bad_request',
      'The file needs a name of at most 150 characters and 200 bytes, without slashes. Rename it, and drop it again.',
    )
  if (!mayBeTable(file))
    throw new ServiceError(
      'bad_request',
      `${file} is no table. Export it as CSV, TSV, IIF or XLSX, and drop that. Nothing of it was kept.`,
    )
}

/** Marks as gone what a new file of a draft replaces: one of the same name, and the refused rows of before. */
async function replaced(orm: Orm, { contractorId }: Holder, draftId: string, file: string): Promise<string[]> {
  const all = await draftFiles(orm, contractorId, draftId, { state: 'whole' })
  const old = all.filter((each) => each.role === 'refused' || each.file === file).map(({ id }) => id)
  if (old.length > 0) await markFilesGone(orm, contractorId, old)
  return old
}

/** Drops a person's other drafts, to make room. @returns whether there were some */
async function dropOthers(holder: Holder, keep: string): Promise<boolean> {
  const others = (await listDrafts(holder.db.orm, holder.contractorId, null)).filter(({ id }) => id !== keep)
  for (const { id } of others) await forgetDraft(holder, id)
  return others.length > 0
}

/**
 * Stores a file in a draft as it arrives; one with the same name is replaced.
 * @param id the draft; undefined begins one
 * @throws ServiceError `bad_request` for what is no table, `payload_too_large` beyond a cap, `busy` on a full disk
 */
export async function addToDraft(
  holder: Holder,
  id: string | undefined,
  file: string,
  body: AsyncIterable<Uint8Array>,
): Promise<LoadDraft> {
  requireName(file)
  const draft = id === undefined ? await newDraft(holder) : await findDraft(holder, id)
  if ((await filesIn(holder, draft.id)).length >= MOST_FILES)
    throw new ServiceError('bad_request', `There are ${MOST_FILES} files already. Load them first.`)
  const most = { ofFile: UPLOAD.maxBytes, ...DRAFT_LIMITS.people, makeRoom: () => dropOthers(holder, draft.id) }
  const before = (orm: Orm) => replaced(orm, holder, draft.id, file)
  await storeFile(holder, { draft, file, role: 'dropped' }, body, { most, before })
  return draft
}

/** Takes files out of a draft: all of a role, or the one of a name. */
export async function dropFromDraft(
  holder: Holder,
  draftId: string,
  of: { file?: string; role: 'dropped' | 'refused' },
): Promise<void> {
  const { db, contractorId } = holder
  const all = await draftFiles(db.orm, contractorId, draftId, { role: of.role, state: 'whole' })
  await forgetFiles(
    holder,
    all.filter(({ file }) => of.file === undefined || file === of.file),
  )
}
