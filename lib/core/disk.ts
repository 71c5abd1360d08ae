import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { Env } from './env'

/** Below this the embedded database cannot be sure of its next piece of log, which is 16 MB. */
const FULL_BELOW = 32 * 1024 * 1024

/** There is no room left where this process writes. */
export class DiskFull extends Error {
  override name = 'DiskFull'
}

/** Where this process writes: the embedded database in its data directory, uploads elsewhere for a moment. */
export const writesTo = ({ databaseDriver, dataDir }: Pick<Env, 'databaseDriver' | 'dataDir'>): string =>
  databaseDriver === 'pglite' ? dataDir : tmpdir()

/** How many bytes this user may still write to the disk of a directory, which need not be there yet; undefined where nothing tells. */
async function freeBytes(directory: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch {
    return dirname(directory) === directory ? undefined : freeBytes(dirname(directory))
  }
}

/** Whether the disk of a directory is full, or so nearly that the next write may fail. */
export async function isDiskFull(directory: string, below = FULL_BELOW): Promise<boolean> {
  const free = await freeBytes(directory)
  return free !== undefined && free < below
}

/** What to tell an operator of a full disk. */
export const diskFullWords = (directory: string): string =>
  `The disk of ${directory} is full: less than ${FULL_BELOW / 1024 / 1024} MB are free. What is stored can be read; writing fails until there is room. Remove what is not needed there, or move the directory to a larger disk.`
