import 'server-only'
import type { PersonActor } from '@/lib/auth/actor'
import { execute } from '@/lib/operations/execute'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { listKeyAddresses, listKeyUsage } from '@/lib/operations/requests/usage'
import type { Key } from './arrange'
import type { Usage, UsedFrom } from './key-parts'

const HOUR_MS = 3_600_000
/** The longest overlap, in whole hours. */
const OVERLAP_HOURS = 168

/** Reads a contractor's keys and how each was used. */
export async function readKeys(actor: PersonActor, now: Date) {
  const [{ items: keys }, { items: usages }] = await Promise.all([
    execute(listKeys, { actor, now }, {}),
    execute(listKeyUsage, { actor, now }, {}),
  ])
  const byId = new Map(usages.map((usage) => [usage.keyId, usage]))
  return { keys, usageOf: ({ id }: Key): Usage | undefined => byId.get(id) }
}

/** Reads the addresses from which an old secret was used after its successor was created. */
export async function readUsedSince(actor: PersonActor, now: Date, { id }: Key, since: Date): Promise<UsedFrom> {
  const hours = Math.min(OVERLAP_HOURS, Math.max(1, Math.ceil((now.getTime() - since.getTime()) / HOUR_MS)))
  const { items } = await execute(listKeyAddresses, { actor, now }, { keyId: id, hours })
  return items.filter(({ lastUsedAt }) => lastUsedAt !== null && new Date(lastUsedAt) >= since)
}
