import { eq } from 'drizzle-orm'
import type { Orm } from '../client'
import { people, personAccounts, personPasskeys, personTwoFactors } from '../schema'
import { deleteSessions } from './person-sessions'
import { deleteIdentities } from './sso'

export async function findPerson(orm: Orm, email: string) {
  const [person] = await orm.select().from(people).where(eq(people.email, email))
  return person
}

export async function findPersonById(orm: Orm, id: string) {
  const [person] = await orm.select().from(people).where(eq(people.id, id))
  return person
}

/** Updates a person's name, or whether their email address is verified. */
export async function updatePerson(
  orm: Orm,
  personId: string,
  changes: Partial<Pick<typeof people.$inferSelect, 'name' | 'emailVerified'>>,
): Promise<void> {
  await orm
    .update(people)
    .set({ ...changes, updatedAt: new Date() })
    .where(eq(people.id, personId))
}

/** The ways to sign in that were removed. */
export type EndedWaysIn = { sessions: number; passkeys: number; secondFactor: boolean }

/** Removes every way into a person's account: password, passkeys, second factor, single sign-on and sessions. */
export async function deleteWaysIn(orm: Orm, personId: string): Promise<EndedWaysIn> {
  await orm.delete(personAccounts).where(eq(personAccounts.userId, personId))
  await deleteIdentities(orm, personId)
  const factors = await orm
    .delete(personTwoFactors)
    .where(eq(personTwoFactors.userId, personId))
    .returning({ verified: personTwoFactors.verified })
  await orm.update(people).set({ twoFactorEnabled: false }).where(eq(people.id, personId))
  const passkeys = await orm
    .delete(personPasskeys)
    .where(eq(personPasskeys.userId, personId))
    .returning({ id: personPasskeys.id })
  const sessions = await deleteSessions(orm, personId)
  return { sessions, passkeys: passkeys.length, secondFactor: factors.some(({ verified }) => verified === true) }
}

/** Makes an account without a password and with an address that nobody has confirmed. */
export async function insertPerson(orm: Orm, person: { id: string; name: string; email: string }): Promise<void> {
  await orm.insert(people).values({ ...person, emailVerified: false })
}

/** Sets the password of an account that has none, as a hash. */
export async function insertPassword(orm: Orm, personId: string, id: string, hash: string): Promise<void> {
  await orm
    .insert(personAccounts)
    .values({ id, userId: personId, accountId: personId, providerId: 'credential', password: hash })
}
