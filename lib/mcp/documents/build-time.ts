import { statSync } from 'node:fs'
import { join } from 'node:path'
import { SERVICE } from '@/lib/core/service'

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
