import { and, asc, eq, sql } from 'drizzle-orm'
import type { Orm } from '../client'
import { personPasskeys } from '../schema'

/** A passkey as its owner sees it. Holds no secret, and nothing that is needed to sign in. */
type Passkey = {
  id: string
  name: string
  /** True when it syncs through an account to several devices; false when it stays on one device. */
  synced: boolean
  createdAt: Date | null
  lastUsedAt: Date | null
}

/** Returns a person's passkeys, oldest first. */
export async function passkeysOf(orm: Orm, personId: string): Promise<Passkey[]> {
  return await orm
    .select({
      id: personPasskeys.id,
      name: sql<string>`coalesce(${personPasskeys.name}, 'Passkey')`,
      synced: personPasskeys.backedUp,
      createdAt: personPasskeys.createdAt,
      lastUsedAt: personPasskeys.lastUsedAt,
    })
    .from(personPasskeys)
    .where(eq(personPasskeys.userId, personId))
    .orderBy(asc(personPasskeys.createdAt), asc(personPasskeys.id))
}

const own = (personId: string, id: string) => and(eq(personPasskeys.userId, personId), eq(personPasskeys.id, id))

/** Renames a person's passkey. @returns false when the person has no such passkey */
export async function renamePasskey(orm: Orm, personId: string, id: string, name: string): Promise<boolean> {
  const found = await orm
    .update(personPasskeys)
    .set({ name })
    .where(own(personId, id))
    .returning({ id: personPasskeys.id })
  return found.length > 0
}

/** Removes a person's passkey. @returns its name, or undefined when the person has no such passkey */
export async function removePasskey(orm: Orm, personId: string, id: string): Promise<string | undefined> {
  const [found] = await orm.delete(personPasskeys).where(own(personId, id)).returning({ name: personPasskeys.name })
  return found && (found.name ?? 'Passkey')
}

/** Stores when a passkey was last used, and whether it has been backed up to an account. */
export async function passkeyUsed(orm: Orm, credentialID: string, backedUp: boolean): Promise<void> {
  await orm
    .update(personPasskeys)
    .set({ lastUsedAt: new Date(), backedUp })
    .where(eq(personPasskeys.credentialID, credentialID))
}
