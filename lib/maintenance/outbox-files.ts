import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from '@/lib/core/env'
import { OUTBOX_FOLDER } from '@/lib/core/outbox'

/** Returns the paths of the emails in the outbox folder that were written before a time; none where there is no folder. */
async function filesBefore(before: Date): Promise<string[]> {
  const folder = join(/* turbopackIgnore: true */ env().dataDir, OUTBOX_FOLDER)
  const names = await readdir(folder).catch(() => [])
  const old: string[] = []
  for (const name of names) {
    const path = join(/* turbopackIgnore: true */ folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile() && found.mtime < before) old.push(path)
  }
  return old
}

/** Counts the emails in the outbox folder that were written before a time. */
export const countOldFiles = async (before: Date): Promise<number> => (await filesBefore(before)).length

/** Deletes the emails in the outbox folder that were written before a time. Returns how many. */
export async function removeOldFiles(before: Date): Promise<number> {
  const old = await filesBefore(before)
  for (const path of old) await rm(path, { force: true })
  return old.length
}
