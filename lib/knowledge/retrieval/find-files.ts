import { lstat, readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { ServiceError } from '@/lib/core/errors'
import { ENDINGS } from './readers/read'

/** A file to read. `reference` identifies its document: the name given by the caller, plus the path inside a folder. */
export type FoundFile = { path: string; reference: string }

const isReadable = (name: string) => ENDINGS.includes(extname(name).toLowerCase())

/** Counts files by extension. */
export type EndingCounts = Map<string, number>

async function* filesUnder(folder: string, reference: string, ignored: EndingCounts): AsyncGenerator<FoundFile> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    // Skips links, which can loop or lead out of the folder, and hidden files, whose names begin with a dot.
    if (entry.name.startsWith('.') || entry.isSymbolicLink()) continue
    const found = { path: join(folder, entry.name), reference: `${reference}/${entry.name}` }
    if (entry.isDirectory()) yield* filesUnder(found.path, found.reference, ignored)
    else if (entry.isFile() && isReadable(entry.name)) yield found
    else if (entry.isFile()) {
      const ending = extname(entry.name).toLowerCase() || entry.name
      ignored.set(ending, (ignored.get(ending) ?? 0) + 1)
    }
  }
}

/** A path as given on the command line. */
export type NamedPath = { path: string; name: string; isFolder: boolean }

/**
 * Checks whether a path is a file or a folder.
 * @throws ServiceError `bad_request` when it does not exist or cannot be read
 */
export async function namedPath(path: string): Promise<NamedPath> {
  try {
    return { path, name: basename(path), isFolder: (await lstat(path)).isDirectory() }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new ServiceError('bad_request', `${path} cannot be read (${code}).`)
  }
}

/**
 * Yields the files under a path, sorted by name. Files that no reader supports are counted in `ignored` by extension. A file named
 * directly is always returned.
 */
export async function* filesOf({ path, name, isFolder }: NamedPath, ignored: EndingCounts): AsyncGenerator<FoundFile> {
  if (isFolder) yield* filesUnder(path, name, ignored)
  else yield { path, reference: name }
}
