import { accessSync, constants, statSync } from 'node:fs'
import type { Env } from './env'
import { faultCode } from './fault-code'

const REASONS: Record<string, string> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is no folder',
  EACCES: 'may not be read by the service’s user',
}

function whyNotWatched(folder: string): string | undefined {
  try {
    if (!statSync(/* turbopackIgnore: true */ folder).isDirectory()) return REASONS.ENOTDIR
    accessSync(/* turbopackIgnore: true */ folder, constants.R_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return REASONS[faultCode(error) ?? ''] ?? `cannot be read: ${error}`
  }
}

/** Returns a sentence for the operator about a folder of sources that cannot be watched; undefined where none is set, or it can be. */
export function sourcesFolderFault({
  sourcesFolder,
  vercel,
}: Pick<Env, 'sourcesFolder' | 'vercel'>): string | undefined {
  if (sourcesFolder === undefined) return undefined
  const why = vercel === undefined ? whyNotWatched(sourcesFolder) : 'is not watched on Vercel, where no disk is kept'
  return (
    why &&
    `SOURCES_FOLDER: ${sourcesFolder} ${why}, so no scheduled source loads from a folder. Create it, or correct or unset the setting.`
  )
}
