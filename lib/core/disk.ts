import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { Env } from './env'
import { OperatorError } from './operator-error'

/** The free space below which the embedded database may fail to create its next log segment, which is 16 MB. */
const FULL_BELOW = 32 * 1024 * 1024

/** The disk this process writes to is full. */
export class DiskFull extends OperatorError {
  override name = 'DiskFull'
}

/**
 * The directory this process writes to: the data directory with the embedded database, otherwise the place of temporary uploads.
 */
export const writesTo = ({ databaseDriver, dataDir }: Pick<Env, 'databaseDriver' | 'dataDir'>): string =>
  databaseDriver === 'pglite' ? dataDir : tmpdir()

/**
 * Bytes this user can still write to a directory's disk; the directory need not exist yet. Undefined when the system does not say.
 */
async function freeBytes(directory: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch {
    return dirname(directory) === directory ? undefined : freeBytes(dirname(directory))
  }
}

/** Reports whether a directory's disk is full, or so nearly full that the next write may fail. */
export async function isDiskFull(directory: string, below = FULL_BELOW): Promise<boolean> {
  const free = await freeBytes(directory)
  return free !== undefined && free < below
}

/** Returns what an operator reads about a full disk. */
export const diskFullWords = (directory: string): string =>
  `The disk of ${directory} is full: less than ${FULL_BELOW / 1024 / 1024} MB are free. What is stored can be read; writing fails until there is room. Remove what is not needed there, or move the directory to a larger disk.`
