import { statSync } from 'node:fs'
import { join } from 'node:path'
import { SERVICE } from './service'

// The build writes the value in its place (next.config.ts).
const commit = process.env.PLUMBLINE_COMMIT || null

/** The build that runs: the commit it was made from, null where it could not know, and its name for people. */
export const BUILD = { commit, name: buildName(SERVICE.version, commit) } as const

/** Names a version and its commit, as twelve digits. A tree with changes that were not committed ends in `-dirty`. */
export function buildName(version: string, of: string | null | undefined): string {
  return `${version} (${of ? `commit ${of.replace(/^([0-9a-f]{12})[0-9a-f]*/, '$1')}` : 'commit unknown'})`
}

/**
 * Returns when the served code was built: the same for both entries and for every start of a build, so that documents keep their
 * ETag. Where the platform resets file times, or nothing was built, it is the release date.
 */
export function buildTime(): Date {
  const released = new Date(SERVICE.released)
  try {
    const { mtime } = statSync(join(/* turbopackIgnore: true */ process.cwd(), '.next', 'BUILD_ID'))
    return mtime > released ? mtime : released
  } catch {
    return released
  }
}
