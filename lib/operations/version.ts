import { createHash } from 'node:crypto'
import type { Resource } from '@/lib/resources/define'

/** A page token works for 24 hours, so an answer that carries one counts as new after twelve. */
const HALF_A_DAY_MS = 12 * 60 * 60 * 1000

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** The version of an answer whose text holds everything that makes it. */
export const versionOfText = (text: string): string => digest(text)

/**
 * Returns how a resource's pages are versioned: by which records they hold and when those last changed, which the database has told with the
 * page, so that nothing is hashed here. What is shown of a record is part of it, so that an update of this service is a new version.
 */
export function pageVersions(resource: Resource) {
  const form = digest(JSON.stringify(resource.source.columns)).slice(0, 6)
  return ({ version, count, next }: { version: string; count: number; next: string | undefined }, now: Date): string =>
    `${form}-${version.replace('-', '_')}-${count}${next === undefined ? '' : `-${Math.floor(now.getTime() / HALF_A_DAY_MS)}`}`
}
