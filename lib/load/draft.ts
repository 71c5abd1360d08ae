import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '@/lib/core/errors'
import { UPLOAD } from '@/lib/core/uploads'
import { mayBeTable } from './join/find'
import { FOLDER, receiveFile } from './receive'

/** How many drafts of a contractor are held, and how many files one has. */
const MOST_DRAFTS = 3
const MOST_FILES = 20
const RECEIVING = { maxBytes: UPLOAD.maxBytes, advice: 'Split it, or load it with `plumbline load`.' }

/** Files that a person looks at before they are loaded. They lie in a folder of this machine, which is deleted after a day. */
export type Draft = { id: string; files: string; refused: string }

const SHAPE = /^[a-f0-9]{32}$/

/** Without the id of a process, so that the sweep of uploads deletes it by its age. */
const prefixOf = (contractorId: string) => `${FOLDER}draft-${contractorId}-`

function placeOf(contractorId: string, id: string): Draft {
  const folder = join(tmpdir(), prefixOf(contractorId) + id)
  return { id, files: join(folder, 'files'), refused: join(folder, 'refused') }
}

const gone = () =>
  new ServiceError(
    'not_found',
    'These files are no longer on the server: they are held for a day, and by the machine that received them. Drop them again.',
  )

/** Returns a draft of a contractor. @throws ServiceError `not_found` when it is gone or of another contractor */
export async function findDraft(contractorId: string, id: string): Promise<Draft> {
  if (!SHAPE.test(id)) throw gone()
  const draft = placeOf(contractorId, id)
  const found = await stat(draft.files).catch(() => undefined)
  if (!found?.isDirectory()) throw gone()
  return draft
}

/** Deletes the oldest drafts of a contractor, so that one more is at most as many as are held. */
async function makeRoom(contractorId: string): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefixOf(contractorId)))
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(tmpdir(), name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  )
  const old = aged.sort((a, b) => b.at - a.at).slice(MOST_DRAFTS - 1)
  for (const { name } of old) await rm(join(tmpdir(), name), { recursive: true, force: true })
}

async function newDraft(contractorId: string): Promise<Draft> {
  await makeRoom(contractorId)
  const draft = placeOf(contractorId, randomBytes(16).toString('hex'))
  await mkdir(draft.files, { recursive: true, mode: 0o700 })
  return draft
}

/** The files of a draft. */
export const filesIn = async ({ files }: Draft): Promise<string[]> => (await readdir(files)).sort()

/** File systems take names of 255 bytes; the file of refused rows adds some. */
const MOST_NAME_BYTES = 200

/** @throws ServiceError `bad_request` for what is no name of a table */
function requireName(file: string): void {
  if (!/^[^/\\\p{Cc}]{1,150}$/u.test(file) || file.startsWith('.') || Buffer.byteLength(file) > MOST_NAME_BYTES)
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

/**
 * Streams a file into a draft; one with the same name is replaced.
 * @param id the draft; undefined begins one
 * @throws ServiceError `bad_request` for what is no table, `payload_too_large` beyond the cap
 */
export async function addToDraft(
  contractorId: string,
  id: string | undefined,
  file: string,
  body: AsyncIterable<Uint8Array>,
): Promise<Draft> {
  requireName(file)
  const draft = id === undefined ? await newDraft(contractorId) : await findDraft(contractorId, id)
  if ((await filesIn(draft)).length >= MOST_FILES)
    throw new ServiceError('bad_request', `There are ${MOST_FILES} files already. Load them first.`)
  const { folder } = await receiveFile('received', body, RECEIVING)
  try {
    await rename(join(folder, 'received'), join(draft.files, file))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await rm(draft.refused, { recursive: true, force: true })
  return draft
}

/** Takes a file out of a draft. */
export async function dropFromDraft(draft: Draft, file: string): Promise<void> {
  if ((await filesIn(draft)).includes(file)) await rm(join(draft.files, file), { force: true })
}
