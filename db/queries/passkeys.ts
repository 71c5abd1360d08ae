import { and, asc, eq, sql } from 'drizzle-orm'
import type { Orm } from '../client'
import { personPasskeys } from '../schema'

/** A passkey as its owner sees it. Nothing of it is secret, and nothing of it is needed to sign in. */
type Passkey = {
  id: string
  name: string
  /** Whether it is kept in an account and so on several devices, or in one device alone. */
  synced: boolean
  createdAt: Date | null
  lastUsedAt: Date | null
}

/** The passkeys of a person, oldest first. */
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

/** Renames a person's passkey. @returns whether they have it */
export async function renamePasskey(orm: Orm, personId: string, id: string, name: string): Promise<boolean> {
  const found = await orm
    .update(personPasskeys)
    .set({ name })
    .where(own(personId, id))
    .returning({ id: personPasskeys.id })
  return found.length > 0
}

/** Removes a person's passkey. @returns the name it had, or undefined when they have no such one */
export async function removePasskey(orm: Orm, personId: string, id: string): Promise<string | undefined> {
  const [found] = await orm.delete(personPasskeys).where(own(personId, id)).returning({ name: personPasskeys.name })
  return found && (found.name ?? 'Passkey')
}

/** Keeps when a passkey was used last, and whether its maker has copied it to an account since. */
export async function passkeyUsed(orm: Orm, credentialID: string, backedUp: boolean): Promise<void> {
  await orm
    .update(personPasskeys)
    .set({ lastUsedAt: new Date(), backedUp })
    .where(eq(personPasskeys.credentialID, credentialID))
}
