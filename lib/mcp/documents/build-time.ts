import { statSync } from 'node:fs'
import { join } from 'node:path'
import { SERVICE } from '@/lib/core/service'

/**
 * When what is served was built: the same for both entries and for every start of a build, so that documents keep their ETag. Where
 * the platform wipes the times of files, or nothing was built, it is the day of the release.
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
