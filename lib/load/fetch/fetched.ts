import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MEGABYTE, UPLOAD } from '@/lib/core/uploads'
import { fullDiskFault } from '../full-disk'

/** The obstacle to a run, in words for whoever set it up. */
export class SourceProblem extends Error {
  override name = 'SourceProblem'
}

/** A file that a source brings, laid into the folder of the run; `at` orders files of one kind. */
export type FetchedFile = { name: string; at: number }

/** The outcome of one file: loaded, or why not, and where the refused rows lie. */
export type Fate = { name: string; problem: string | null; refusedCsv: string | undefined }

/**
 * The result of a source: files that are new, and what it has seen, to be remembered once they are loaded. `settle` is told how each fared,
 * before the run ends; files that wait for another run are not named. `changes` are settings that it learned.
 */
export type Fetched = {
  files: FetchedFile[]
  seen: (loaded: readonly string[]) => Record<string, string>
  settle?: (fates: readonly Fate[]) => Promise<void>
  changes?: Record<string, string>
  /** True when something is still being written: look again soon. */
  isMoving?: boolean
  /** True when nothing waits there, which says nothing about how the source is doing. */
  isIdle?: boolean
  /** True when there are more files than one run takes. */
  isMore?: boolean
}

/** The means of a fetch: where files go, what it has seen, and when to end. */
export type Fetching = { folder: string; seen: Record<string, string>; signal: AbortSignal; now: Date }

/** The most files of one run. */
export const MOST_FETCHED = 20

/**
 * Writes a file as it arrives, up to the cap of dropped files.
 * @returns its SHA-256 and its first bytes
 * @throws SourceProblem beyond the cap, ServiceError `busy` on a full disk
 */
export async function storeFetched(
  body: AsyncIterable<Uint8Array>,
  path: string,
  name: string,
  signal: AbortSignal,
): Promise<{ hash: string; head: Buffer; size: number }> {
  const sum = createHash('sha256')
  let head = Buffer.alloc(0)
  let size = 0
  const counter = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length
      sum.update(chunk)
      if (head.length < 512) head = Buffer.concat([head, chunk.subarray(0, 512)]).subarray(0, 512)
      if (size > UPLOAD.maxBytes)
        done(
          new SourceProblem(
            `${name} is larger than ${UPLOAD.maxBytes / MEGABYTE} MB. Split it, or load it with the command line.`,
          ),
        )
      else done(null, chunk)
    },
  })
  await pipeline(body, counter, createWriteStream(path, { mode: 0o600 }), { signal }).catch((error: unknown) => {
    throw fullDiskFault(error)
  })
  return { hash: sum.digest('hex'), head, size }
}
