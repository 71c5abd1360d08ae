import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { lockLoads } from '@/db/queries/load-lock'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { UPLOAD } from '@/lib/core/uploads'
import { part } from '@/lib/runtime/runtime'

/** A file that was uploaded: the folder it lies in alone, and how many lines it has. */
export type Uploaded = { folder: string; lines: number }

const MEGABYTE = 1024 * 1024
const LINE_FEED = 0x0a

/** Contractors whose files are being loaded in this process. */
const loading = part('loading', () => new Set())

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

const alreadyLoading = () =>
  new ServiceError(
    'rate_limited',
    'Files are being loaded for this contractor already. Wait until that is done, then try again; nothing of this file was loaded.',
  )

const tooLarge = () =>
  new ServiceError(
    'payload_too_large',
    `A file may have ${UPLOAD.maxBytes / MEGABYTE} MB; this one is larger. Split it, or load it with \`plumbline load\`. Nothing was loaded.`,
  )

/** Folders of uploads are named after the process that has them, so that a later one knows which were left by a kill. */
const FOLDER = 'plumbline-upload-'
/** A load takes hours at most; folders of a version that did not name its process are not younger than that. */
const LEFT_AFTER_MS = 24 * 3_600_000

/** Whether nobody loads from a folder any more. */
async function isLeft(name: string): Promise<boolean> {
  const pid = Number(/^(\d+)-/.exec(name.slice(FOLDER.length))?.[1] ?? Number.NaN)
  if (Number.isNaN(pid)) return Date.now() - (await stat(join(tmpdir(), name))).mtimeMs > LEFT_AFTER_MS
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** Removes the files of uploads that were being loaded when their process was killed. @returns how many */
export async function sweepUploads(): Promise<number> {
  let swept = 0
  for (const name of (await readdir(tmpdir())).filter((entry) => entry.startsWith(FOLDER)))
    try {
      if (!(await isLeft(name))) continue
      await rm(join(tmpdir(), name), { recursive: true, force: true })
      swept++
    } catch {
      // Another user's, or swept by another process at this moment.
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
 * Takes a file that is uploaded for a contractor, streaming it to disk; never whole in memory. Until `release` is called no other
 * upload is taken for this contractor, by whichever process; it also removes the file.
 * @param file the name the loader knows the file by
 * @throws ServiceError `rate_limited` while another load runs, `payload_too_large` beyond the cap
 */
export async function takeUpload(
  contractorId: string,
  file: string,
  body: AsyncIterable<Uint8Array>,
): Promise<Uploaded & { release: () => Promise<void> }> {
  if (loading().has(contractorId)) throw alreadyLoading()
  loading().add(contractorId)
  let unlock: (() => Promise<void>) | undefined
  const letGo = async () => {
    loading().delete(contractorId)
    await unlock?.()
  }
  try {
    unlock = await lockLoads(env(), contractorId)
    if (!unlock) throw alreadyLoading()
    const uploaded = await receive(file, body)
    const release = async () => {
      await letGo()
      await rm(uploaded.folder, { recursive: true, force: true })
    }
    return { ...uploaded, release }
  } catch (error) {
    await letGo()
    throw error
  }
}
