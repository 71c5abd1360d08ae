import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Database, type Orm, withinContractor } from '@/db/client'
import {
  addDraftPart,
  changeDraftFile,
  type DraftFile,
  deleteDraft,
  deleteDraftFile,
  draftFiles,
  dropDraftParts,
  insertDraftFile,
  type LoadDraft,
  markDraftDropped,
  markFilesGone,
  readDraftPart,
  sumDraftBytes,
} from '@/db/queries/load-drafts'
import { piecesAtOnce } from '@/db/queries/load-uploads'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { Pace } from '@/lib/core/slices'
import { MEGABYTE } from '@/lib/core/uploads'
import { fullDiskFault } from './full-disk'
import { piecesOf } from './parts'
import { newFolder } from './receive'
import { countUnreclaimed } from './room'

/** The database that holds drafts, and their contractor. */
export type Holder = { db: Database; contractorId: string }

/** Caps: of one file, and of all that are held. `makeRoom` drops others and says whether there were some. */
export type Most = { ofFile: number; mostBytes: number; makeRoom?: () => Promise<boolean> }

/** A file to be held. */
type Stored = { draft: LoadDraft; file: string; role: DraftFile['role'] }

const tooLarge = (bytes: number) =>
  new ServiceError(
    'payload_too_large',
    `The file is larger than ${bytes / MEGABYTE} MB. Split it, or load it with \`plumbline load\`. Nothing was loaded.`,
  )

const tooMuch = (bytes: number) =>
  new ServiceError(
    'payload_too_large',
    `At most ${bytes / MEGABYTE} MB of files are held for a contractor at a time. Load or remove the others first, or load this one with \`plumbline load\`. Nothing of it was kept.`,
  )

/** Counts what is held against the caps while a file arrives. */
class Room {
  private others: number | undefined

  constructor(
    private readonly holder: Holder,
    private readonly ofSource: boolean,
    private readonly most: Most,
  ) {}

  private async count(orm: Orm, own: number): Promise<number> {
    return (await sumDraftBytes(orm, this.holder.contractorId, this.ofSource ? 'sources' : 'people')) - own
  }

  /** @throws ServiceError `payload_too_large` when so many bytes of the file, with what is held, are too many */
  async take(stored: number, more: number): Promise<void> {
    const { ofFile, mostBytes, makeRoom } = this.most
    if (stored + more > ofFile) throw tooLarge(ofFile)
    const { orm } = this.holder.db
    this.others ??= await this.count(orm, stored)
    if (this.others + stored + more <= mostBytes) return
    if (await makeRoom?.()) this.others = await this.count(orm, stored)
    if (this.others + stored + more > mostBytes) throw tooMuch(mostBytes)
  }
}

/** Stores the pieces of a file one by one. */
async function storePieces(holder: Holder, fileId: string, body: AsyncIterable<Uint8Array>, room: Room): Promise<void> {
  const { db, contractorId } = holder
  const pace = new Pace(db)
  let at = 0
  for await (const bytes of piecesOf(body, 0)) {
    await room.take(at, bytes.length)
    const part = { contractorId, fileId, at, bytes }
    if (!(await withinContractor(db.orm, contractorId, (orm) => addDraftPart(orm, part))))
      throw new ServiceError('not_found', 'The file was dropped while it arrived. Drop it again.')
    at += bytes.length
    await pace.between()
  }
}

/**
 * Stores a file in a draft as it arrives. It is there once all of it is; what breaks off leaves nothing.
 * @param before marks files as gone that it replaces, in the transaction that shows it
 * @throws ServiceError `payload_too_large` beyond a cap, `busy` on a full disk
 */
export async function storeFile(
  holder: Holder,
  { draft, file, role }: Stored,
  body: AsyncIterable<Uint8Array>,
  { most, before = async () => [] }: { most: Most; before?: (orm: Orm) => Promise<string[]> },
): Promise<void> {
  const { db, contractorId } = holder
  const id = newId('draftFile')
  const made = { id, contractorId, draftId: draft.id, file, role, state: 'arriving' } as const
  await withinContractor(db.orm, contractorId, (orm) => insertDraftFile(orm, made))
  try {
    await storePieces(holder, id, body, new Room(holder, draft.sourceId !== null, most))
    await withinContractor(db.orm, contractorId, async (orm) => {
      await before(orm)
      await changeDraftFile(orm, contractorId, id, { state: 'whole' })
    })
  } catch (error) {
    await forgetFiles(holder, [{ id, size: 0 }]).catch(() => {})
    throw fullDiskFault(error)
  }
  const old = await draftFiles(db.orm, contractorId, draft.id, { state: 'gone' })
  await forgetFiles(holder, old)
}

/** Deletes files with their bytes, a few pieces at a time: all in one statement would hold the embedded database for seconds. */
export async function forgetFiles(
  { db, contractorId }: Holder,
  files: readonly Pick<DraftFile, 'id' | 'size'>[],
): Promise<void> {
  if (files.length === 0) return
  const within = <T>(work: (orm: Orm) => Promise<T>) => withinContractor(db.orm, contractorId, work)
  const ids = files.map(({ id }) => id)
  await within((orm) => markFilesGone(orm, contractorId, ids))
  const pace = new Pace(db)
  const most = piecesAtOnce(db)
  for (const { id, size } of files) {
    if (db.driver === 'pglite') countUnreclaimed(contractorId, size)
    while (await within((orm) => dropDraftParts(orm, contractorId, id, most))) await pace.between()
    await within((orm) => deleteDraftFile(orm, contractorId, id))
  }
}

/** Deletes a draft with its files. What a process leaves that dies meanwhile is deleted by retention. */
export async function forgetDraft(holder: Holder, id: string): Promise<void> {
  const { db, contractorId } = holder
  await withinContractor(db.orm, contractorId, (orm) => markDraftDropped(orm, contractorId, id))
  await forgetFiles(holder, await draftFiles(db.orm, contractorId, id))
  await withinContractor(db.orm, contractorId, (orm) => deleteDraft(orm, contractorId, id))
}

/**
 * The bytes of a held file, one piece after the other.
 * @throws ServiceError `busy` when a piece is gone: a shorter file that is declared complete would delete what it lacks
 */
async function* heldPieces({ db, contractorId }: Holder, { id, size }: DraftFile): AsyncGenerator<Uint8Array> {
  const pace = new Pace(db)
  for (let at = 0; at < size; ) {
    const piece = await readDraftPart(db.orm, contractorId, id, at)
    if (!piece) throw new ServiceError('busy', 'The files were dropped while they were read. Drop them again.')
    yield piece
    at += piece.length
    await pace.between()
  }
}

/** Returns a held file as text; undefined when there is none. For files of a few megabytes. */
export async function readDraftText(
  holder: Holder,
  draftId: string,
  file: string,
  role: DraftFile['role'],
): Promise<string | undefined> {
  const all = await draftFiles(holder.db.orm, holder.contractorId, draftId, { role, state: 'whole' })
  const found = all.find((each) => each.file === file)
  if (!found) return undefined
  const parts: Uint8Array[] = []
  for await (const piece of heldPieces(holder, found)) parts.push(piece)
  return Buffer.concat(parts).toString('utf8')
}

/** Writes held files into a folder under their names. */
export async function writeDraftFiles(holder: Holder, held: readonly DraftFile[], folder: string): Promise<void> {
  for (const file of held)
    await pipeline(heldPieces(holder, file), createWriteStream(join(folder, file.file), { mode: 0o600 }))
}

/** The folder where held files lie while they are read, and the one where their refused rows may be written. */
export type Laid = { files: string; refused: string }

/**
 * Lays the files of a draft into a folder of this machine for as long as `work` reads them.
 * @throws ServiceError `busy` when the disk is full, or the files are dropped meanwhile
 */
export async function withDraftFiles<T>(holder: Holder, draftId: string, work: (laid: Laid) => Promise<T>): Promise<T> {
  const held = await draftFiles(holder.db.orm, holder.contractorId, draftId, { role: 'dropped', state: 'whole' })
  const folder = await newFolder()
  try {
    const laid = { files: join(folder, 'files'), refused: join(folder, 'refused') }
    await mkdir(laid.files, { mode: 0o700 })
    await writeDraftFiles(holder, held, laid.files)
    return await work(laid)
  } catch (error) {
    throw fullDiskFault(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Holds the files of a folder as refused rows of a draft, in place of those of before. */
export async function storeRefusedRows(holder: Holder, draft: LoadDraft, folder: string, most: Most): Promise<void> {
  const { db, contractorId } = holder
  await forgetFiles(holder, await draftFiles(db.orm, contractorId, draft.id, { role: 'refused' }))
  for (const file of await readdir(folder).catch(() => []))
    await storeFile(holder, { draft, file, role: 'refused' }, createReadStream(join(folder, file)), { most })
}
