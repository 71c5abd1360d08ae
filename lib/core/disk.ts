import { mkdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { Env } from './env'
import { OperatorError } from './errors'

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
    const { blocks, bavail, bsize } = await statfs(directory)
    // One that has no blocks at all, as /proc, stores nothing and is not full either.
    return blocks === 0 ? undefined : bavail * bsize
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

const entryAt = (path: string) => statSync(/* turbopackIgnore: true */ path, { throwIfNoEntry: false })

/**
 * Creates a folder for this user only, and those above it, unless they are there. `mkdir` with `recursive` tries without end where the file system takes no
 * new names, as /proc.
 */
export function makeFolder(folder: string): void {
  if (entryAt(folder)?.isDirectory()) return
  const above = dirname(folder)
  if (above !== folder && !entryAt(above)) makeFolder(above)
  try {
    mkdirSync(/* turbopackIgnore: true */ folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have been quicker.
    if (!entryAt(folder)?.isDirectory()) throw error
  }
}
