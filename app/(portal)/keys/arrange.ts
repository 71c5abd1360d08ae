import type * as z from 'zod'
import { isExplorerKey } from '@/lib/auth/people/explorer-key'
import type { listKeys } from '@/lib/operations/keys/list-keys'

export type Key = z.output<typeof listKeys.output>['items'][number]

/** A key in use, and its earlier secrets that still work. */
export type KeyInUse = { key: Key; old: Key[] }

/**
 * Groups keys for display: keys in use with the old secrets of their rotations, ended keys, and the explorer's one-hour keys, whether they
 * still work or not. An old secret whose successors have all ended is listed on its own. The order is kept.
 */
export function arrange(keys: readonly Key[]): { inUse: KeyInUse[]; ended: Key[]; temporary: Key[] } {
  const byId = new Map(keys.map((key) => [key.id, key]))
  const headOf = (key: Key): Key => {
    const next = key.rotatedTo ? byId.get(key.rotatedTo) : undefined
    const head = next && headOf(next)
    return head && works(head) ? head : key
  }
  const temporary = keys.filter(isExplorerKey)
  const lasting = keys.filter((key) => !isExplorerKey(key))
  const working = lasting.filter(works)
  const inUse = working
    .filter((key) => headOf(key) === key)
    .map((key) => ({ key, old: working.filter((other) => other !== key && headOf(other) === key) }))
  return { inUse, ended: lasting.filter((key) => !works(key)), temporary }
}

/** Returns a key and those it replaced, the latest first: one secret for each that worked at a moment or later. */
export function secretsOf(keys: readonly Key[], key: Key, since: Date): Key[] {
  const replaced = keys.find(({ rotatedTo }) => rotatedTo === key.id)
  const ended = replaced?.revokedAt ?? replaced?.expiresAt
  if (!replaced || (ended && ended < since)) return [key]
  return [key, ...secretsOf(keys, replaced, since)]
}

const works = ({ state }: Key): boolean => state === 'active' || state === 'overlap'
