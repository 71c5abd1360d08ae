import { lstat, readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { ServiceError } from '@/lib/core/errors'
import { ENDINGS } from './readers/read'

/** A file to be read, and what its document is known by: the name it was given by, and within a folder its path from there. */
export type FoundFile = { path: string; reference: string }

const isReadable = (name: string) => ENDINGS.includes(extname(name).toLowerCase())

/** Counts names by their endings. */
export type EndingCounts = Map<string, number>

async function* filesUnder(folder: string, reference: string, ignored: EndingCounts): AsyncGenerator<FoundFile> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    // Links could lead round in circles, or out of the folder; what begins with a point is not meant to be seen.
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

/** A path as it was named on the command line. */
export type NamedPath = { path: string; name: string; isFolder: boolean }

/**
 * Looks what a path is.
 * @throws ServiceError `bad_request` when it is not there or may not be read
 */
export async function namedPath(path: string): Promise<NamedPath> {
  try {
    return { path, name: basename(path), isFolder: (await lstat(path)).isDirectory() }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new ServiceError('bad_request', `${path} cannot be read (${code}).`)
  }
}

/** The files of a path, in the order of their names; those nobody can read are counted by their endings. A named file is always given. */
export async function* filesOf({ path, name, isFolder }: NamedPath, ignored: EndingCounts): AsyncGenerator<FoundFile> {
  if (isFolder) yield* filesUnder(path, name, ignored)
  else yield { path, reference: name }
}
