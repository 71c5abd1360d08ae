import { access, copyFile, constants as FS, lstat, mkdir, open, readdir, realpath, rename } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultCode } from '@/lib/core/fault-code'
import { isFileName } from '../draft'
import { mayBeTable } from '../join/find'
import { refusedName } from '../refused'
import {
  type Fate,
  type Fetched,
  type FetchedFile,
  type Fetching,
  MOST_FETCHED,
  SourceProblem,
  storeFetched,
} from './fetched'

/** Reports whether a path leads to a folder below another one: no `..`, no absolute path, no control characters. */
export const isInside = (path: string): boolean =>
  !path.startsWith('/') &&
  !/[\p{Cc}\\]/u.test(path) &&
  path.split('/').every((part) => part !== '..' && !part.startsWith('.'))

/** The time a file must stand still before it is taken. */
const STILL_MS = 2_000

/** The folder of a contractor: below the operator's folder one with the contractor's slug, and in it the source's path. */
export type WatchedFolder = { root: string; slug: string; path: string }

const shown = ({ slug, path }: WatchedFolder) => (path === '' ? slug : `${slug}/${path}`)

/**
 * Returns where a watched folder really is.
 * @throws SourceProblem when it is not there, or symlinks lead out of the contractor's own folder
 */
async function watchedPlace(folder: WatchedFolder): Promise<string> {
  const { root, slug, path } = folder
  if (!isInside(path)) throw new SourceProblem('The path must lead to a folder below, without `..`.')
  try {
    const top = await realpath(/* turbopackIgnore: true */ root)
    const own = await realpath(join(/* turbopackIgnore: true */ root, slug))
    const place = await realpath(join(/* turbopackIgnore: true */ own, path))
    if (own !== join(top, slug) || (place !== own && !place.startsWith(own + sep)))
      throw new SourceProblem(`${shown(folder)} leads out of the contractor’s folder. Use a folder that is no symlink.`)
    await access(/* turbopackIgnore: true */ place, FS.R_OK | FS.W_OK)
    return place
  } catch (error) {
    if (error instanceof SourceProblem) throw error
    const why = faultCode(error) === 'ENOENT' ? 'is not there' : 'cannot be read and written by the service'
    throw new SourceProblem(`The folder ${shown(folder)} ${why}. Its operator makes it below SOURCES_FOLDER.`)
  }
}

type Standing = { name: string; size: number; mtimeMs: number; ino: number }

/** The tables of a folder that are files themselves, and no links. */
async function tablesIn(place: string): Promise<Map<string, Standing>> {
  const found = new Map<string, Standing>()
  for (const entry of await readdir(/* turbopackIgnore: true */ place, { withFileTypes: true })) {
    const { name } = entry
    if (!entry.isFile() || !isFileName(name) || !mayBeTable(name)) continue
    const { size, mtimeMs, ino } = await lstat(join(/* turbopackIgnore: true */ place, name))
    found.set(name, { name, size, mtimeMs, ino })
  }
  return found
}

const isSame = (a: Standing, b: Standing | undefined) =>
  b !== undefined && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino

/** Copies a file that stands still. @returns false when it changed meanwhile, or is another one than was looked at */
async function take(place: string, file: Standing, { folder, signal }: Fetching): Promise<boolean> {
  // Never follows a link that took the file's place.
  const handle = await open(join(/* turbopackIgnore: true */ place, file.name), FS.O_RDONLY | FS.O_NOFOLLOW)
  try {
    const of = async () => {
      const { size, mtimeMs, ino } = await handle.stat()
      return { name: file.name, size, mtimeMs, ino }
    }
    if (!isSame(file, await of())) return false
    await storeFetched(handle.createReadStream({ autoClose: false }), join(folder, file.name), file.name, signal)
    return isSame(file, await of())
  } finally {
    await handle.close()
  }
}

/** Makes a folder beside the files, unless it is there. @throws SourceProblem when something else has its name */
async function folderFor(place: string, name: 'done' | 'failed'): Promise<string> {
  const path = join(/* turbopackIgnore: true */ place, name)
  await mkdir(path).catch((error: unknown) => {
    if (faultCode(error) !== 'EEXIST') throw error
  })
  if ((await lstat(path)).isDirectory()) return path
  throw new SourceProblem(`${name} is no folder. Remove it, so that files can be moved there.`)
}

/** A name that is free in a folder; with the moment where the plain one is taken. */
async function freeName(folder: string, name: string): Promise<string> {
  const isTaken = await lstat(join(/* turbopackIgnore: true */ folder, name)).then(
    () => true,
    () => false,
  )
  return isTaken ? `${new Date().toISOString().replaceAll(':', '-')} ${name}` : name
}

/** Moves a file to `done` or `failed`, with its refused rows beside the failed ones. One that was written again stays. */
async function settle(place: string, taken: Map<string, Standing>, { name, problem, refusedCsv }: Fate): Promise<void> {
  const before = taken.get(name)
  const now = await lstat(join(/* turbopackIgnore: true */ place, name)).catch(() => undefined)
  if (!before || !now || !isSame(before, { name, size: now.size, mtimeMs: now.mtimeMs, ino: now.ino })) return
  const failed = await folderFor(place, 'failed')
  const to = problem === null ? await folderFor(place, 'done') : failed
  await rename(
    join(/* turbopackIgnore: true */ place, name),
    join(/* turbopackIgnore: true */ to, await freeName(to, name)),
  )
  if (refusedCsv)
    await copyFile(
      refusedCsv,
      join(/* turbopackIgnore: true */ failed, await freeName(failed, refusedName(name))),
      FS.COPYFILE_EXCL,
    )
}

/**
 * Takes the tables of a watched folder whose size and time of change stand still. Each is moved away when its run has ended.
 * @throws SourceProblem that says what to change
 */
export async function fetchFolder(watched: WatchedFolder, fetching: Fetching, stillMs = STILL_MS): Promise<Fetched> {
  const place = await watchedPlace(watched)
  const first = await tablesIn(place)
  if (first.size === 0) return { files: [], seen: () => ({}), isIdle: true }
  await sleep(stillMs, undefined, { signal: fetching.signal })
  const second = await tablesIn(place)
  const standing = [...first.values()].filter((file) => isSame(file, second.get(file.name)))
  const oldest = standing.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1))
  const taken = new Map<string, Standing>()
  const files: FetchedFile[] = []
  for (const file of oldest.slice(0, MOST_FETCHED)) {
    if (!(await take(place, file, fetching))) continue
    taken.set(file.name, file)
    files.push({ name: file.name, at: file.mtimeMs })
  }
  return {
    files,
    seen: () => ({}),
    settle: async (fates) => {
      for (const fate of fates) await settle(place, taken, fate)
    },
    isMoving: standing.length < second.size || files.length < Math.min(standing.length, MOST_FETCHED),
    isMore: oldest.length > MOST_FETCHED,
  }
}
