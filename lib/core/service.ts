import { statSync } from 'node:fs'
import { join } from 'node:path'

/** The service's name and the version it reports (specification 9.6). */
export const SERVICE = {
  name: 'Plumbline',
  description: 'Contractor business data for integrations and agents',
  version: '0.3.0',
  /** The release date of this version, where the build does not know a closer one. */
  released: '2026-11-21T00:00:00.000Z',
} as const

/** The client that the MCP console is: a page of ours, so it needs no registration. */
export const CONSOLE_CLIENT = 'plumbline-console'

/** The data API's status and the day it was last updated (specification 9.4). */
export const DATA_API = { status: 'public beta v1.0', updated: '2025-08-09' } as const

/** The administrator of the demonstration contractors; the domain is reserved for examples (RFC 2606). */
export const DEMO_ADMIN = 'admin@plumbline.example'

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
