import type { Orm } from '@/db/client'
import { findKey } from '@/db/queries/keys'
import { type ActingPerson, type Actor, personOf, personOfGrant } from '@/lib/auth/actor'
import type { KeyAuthor } from '@/lib/auth/audit'

/** Returns who did it, for the audit log: a key by its name. */
export async function authorOf(orm: Orm, actor: Actor): Promise<ActingPerson | KeyAuthor> {
  if (actor.kind !== 'key') return personOf(actor)
  const person = personOfGrant(actor)
  if (person) return person
  const { keyId, contractorId } = actor
  const key = await findKey(orm, keyId)
  return { kind: 'key', keyId, keyName: key?.name ?? keyId, last4: key?.last4 ?? '', contractorId }
}
