import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '@/lib/core/errors'
import { UPLOAD } from '@/lib/core/uploads'
import { takeLoadTurn } from './turn'

/** An uploaded file: its own folder, and how many lines it has. */
export type Uploaded = { folder: string; lines: number }

const MEGABYTE = 1024 * 1024
const LINE_FEED = 0x0a

/** Passes bytes through up to the cap, and counts lines. */
class Counter extends Transform {
  lines = 1
  private bytes = 0

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: Error | null, data?: Buffer) => void): void {
    this.bytes += chunk.length
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) this.lines++
    if (this.bytes > UPLOAD.maxBytes) done(tooLarge())
    else done(null, chunk)
  }
}

const tooLarge = () =>
  new ServiceError(
    'payload_too_large',
    `The file is larger than ${UPLOAD.maxBytes / MEGABYTE} MB. Split it, or load it with \`plumbline load\`. Nothing was loaded.`,
  )

/** Upload folders contain the id of their process in their name, so that a later process can tell which were left by a killed one. */
const FOLDER = 'plumbline-upload-'
/** Folders without a process id are deleted after this time; a load takes hours at most. */
const LEFT_AFTER_MS = 24 * 3_600_000

/** Whether the process that used a folder is gone. */
async function isAbandoned(name: string): Promise<boolean> {
  const pid = Number(/^(\d+)-/.exec(name.slice(FOLDER.length))?.[1] ?? Number.NaN)
  if (Number.isNaN(pid)) return Date.now() - (await stat(join(tmpdir(), name))).mtimeMs > LEFT_AFTER_MS
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** Deletes the upload folders of killed processes. @returns how many */
export async function sweepUploads(): Promise<number> {
  let swept = 0
  for (const name of (await readdir(tmpdir())).filter((entry) => entry.startsWith(FOLDER)))
    try {
      if (!(await isAbandoned(name))) continue
      await rm(join(tmpdir(), name), { recursive: true, force: true })
      swept++
    } catch {
      // The folder belongs to another user, or another process is deleting it.
    }
  return swept
}

/** Streams an upload into a new folder under its file's name; removes the folder when that fails. */
async function receive(file: string, body: AsyncIterable<Uint8Array>): Promise<Uploaded> {
  const folder = await mkdtemp(join(tmpdir(), `${FOLDER}${process.pid}-`))
  const counter = new Counter()
  try {
    await pipeline(body, counter, createWriteStream(join(folder, file), { mode: 0o600 }))
    return { folder, lines: counter.lines }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/**
 * Streams an uploaded file of a contractor to disk without holding it in memory. Until `release` is called, no process accepts another
 * upload for this contractor; `release` also removes the file.
 * @param file the file name that the loader expects
 * @throws ServiceError `rate_limited` while another load runs, `payload_too_large` beyond the cap
 */
export async function takeUpload(
  contractorId: string,
  file: string,
  body: AsyncIterable<Uint8Array>,
): Promise<Uploaded & { release: () => Promise<void> }> {
  const giveBack = await takeLoadTurn(contractorId)
  try {
    const uploaded = await receive(file, body)
    const release = async () => {
      await giveBack()
      await rm(uploaded.folder, { recursive: true, force: true })
    }
    return { ...uploaded, release }
  } catch (error) {
    await giveBack()
    throw error
  }
}
