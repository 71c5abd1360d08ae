import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { processStarted } from '@/db/client'
import { ServiceError } from '@/lib/core/errors'
import { faultCode } from '@/lib/core/fault-code'
import { MEGABYTE, UPLOAD } from '@/lib/core/uploads'
import { fullDiskFault } from './full-disk'
import { acquireLoadTurn } from './turn'

/** A received file: its own folder, how many lines it has, and its bytes. */
export type Uploaded = { folder: string; lines: number; size: number }

/** The ways a file may come. */
export type Receiving = {
  maxBytes: number
  /** The advice added to the refusal of what is larger. */
  advice: string
  encoding?: 'identity' | 'gzip'
}

const LINE_FEED = 0x0a

/** Passes bytes through up to the cap, and counts lines. */
class Counter extends Transform {
  lines = 1
  bytes = 0

  constructor(private readonly receiving: Receiving) {
    super()
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: Error | null, data?: Buffer) => void): void {
    this.bytes += chunk.length
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) this.lines++
    if (this.bytes > this.receiving.maxBytes) done(tooLarge(this.receiving))
    else done(null, chunk)
  }
}

/** A file above the cap. */
export const tooLarge = ({ maxBytes, advice }: Receiving): ServiceError =>
  new ServiceError(
    'payload_too_large',
    `The file is larger than ${maxBytes / MEGABYTE} MB. ${advice} Nothing was loaded.`,
  )

/** The codes of zlib for bytes that are no gzip, or not all of it. */
const NOT_GZIP = ['Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_NEED_DICT', 'Z_STREAM_ERROR']

/** Returns what a sender is told of a fault while their file was received. */
function receivingFault(error: unknown): unknown {
  if (NOT_GZIP.includes(faultCode(error) ?? ''))
    return new ServiceError(
      'bad_request',
      'The body is not valid gzip, or ends too early. Compress the file again, or send it without Content-Encoding. Nothing was loaded.',
      { cause: error },
    )
  return fullDiskFault(error)
}

/**
 * Upload folders name the id of their process and when it began, so that a later process can tell which were left by a killed one: in a
 * restarted container it has the same id.
 */
const FOLDER = 'plumbline-upload-'
const folderOfProcess = () => `${FOLDER}${process.pid}-${processStarted(process.pid) ?? ''}-`
/** Folders without a process id are deleted after this time; a load takes hours at most. */
const LEFT_AFTER_MS = 24 * 3_600_000

/** Reports whether the process that used a folder is gone. */
async function isAbandoned(name: string): Promise<boolean> {
  const [, id, began] = /^(\d+)-(?:(\d+)-)?/.exec(name.slice(FOLDER.length)) ?? []
  const pid = Number(id ?? Number.NaN)
  if (Number.isNaN(pid)) return Date.now() - (await stat(join(tmpdir(), name))).mtimeMs > LEFT_AFTER_MS
  try {
    process.kill(pid, 0)
    const now = processStarted(pid)
    return began !== undefined && now !== undefined && began !== now
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

/** Makes a folder for files that are being read; only this process's user may look into it. @throws ServiceError `busy` on a full disk */
export async function newFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), folderOfProcess())).catch((error: unknown) => {
    throw receivingFault(error)
  })
}

/**
 * Streams a file into a new folder under its name, without holding it in memory; removes the folder when that fails.
 * @throws ServiceError `payload_too_large` beyond the cap, also once inflated; `bad_request` for what is no gzip; `busy` on a full disk
 */
export async function receiveFile(
  file: string,
  body: AsyncIterable<Uint8Array>,
  receiving: Receiving,
): Promise<Uploaded> {
  const folder = await newFolder()
  const counter = new Counter(receiving)
  const target = createWriteStream(join(folder, file), { mode: 0o600 })
  try {
    if (receiving.encoding === 'gzip') await pipeline(body, new Counter(receiving), createGunzip(), counter, target)
    else await pipeline(body, counter, target)
    return { folder, lines: counter.lines, size: counter.bytes }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw receivingFault(error)
  }
}

const RECEIVING = { maxBytes: UPLOAD.maxBytes, advice: 'Split it, or load it with `plumbline load`.' }

/**
 * Streams an uploaded file of a contractor to disk without holding it in memory. Until `release` is called, no process accepts another
 * upload for this contractor; `release` also removes the file.
 * @param file the file name that the loader expects
 * @throws ServiceError `conflict` while another load runs, `payload_too_large` beyond the cap
 */
export async function receiveUpload(
  contractorId: string,
  file: string,
  body: AsyncIterable<Uint8Array>,
): Promise<Uploaded & { release: () => Promise<void> }> {
  const giveBack = await acquireLoadTurn(contractorId)
  try {
    const uploaded = await receiveFile(file, body, RECEIVING)
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
