import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '@/lib/core/errors'
import { type FoundFile, mayBeTable } from './join/find'
import { FILES } from './kinds'

const none = (folder: string) =>
  `The folder ${folder} contains none of ${FILES.join(', ')}, and no export of other software that is recognized.`

/** @throws ServiceError `bad_request` when nothing of a folder can be loaded, with the columns that were found */
export function requireUsable(folder: string, files: Map<string, string>, found: FoundFile[]): void {
  if (FILES.some((file) => files.has(file)) || found.some((each) => !('problem' in each) || each.isRecognized)) return
  const reasons = found.flatMap((each) => ('problem' in each ? [` ${each.name}: ${each.problem}`] : []))
  throw new ServiceError('bad_request', `${none(folder)}${reasons.slice(0, 5).join('')}`)
}

/**
 * Returns the paths of a folder's files, by their names: those of ours in lower case, and others that may be tables.
 * @throws ServiceError `bad_request` when it cannot be read, has no such file, or has one of ours twice
 */
export async function filesOf(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new ServiceError('bad_request', `The folder ${folder} cannot be read (${code}).`)
  })
  const found = new Map<string, string>()
  for (const name of names) {
    const isOurs = FILES.includes(name.toLowerCase())
    if (isOurs && found.has(name.toLowerCase()))
      throw new ServiceError('bad_request', `The folder ${folder} contains ${name.toLowerCase()} twice. Remove one.`)
    if (isOurs) found.set(name.toLowerCase(), join(folder, name))
    else if (mayBeTable(name)) found.set(name, join(folder, name))
  }
  if (found.size > 0) return found
  throw new ServiceError('bad_request', none(folder))
}
