import { and, eq, gt, sql } from 'drizzle-orm'
import type { Orm } from '../client'
import { people, personAccounts, personVerifications, ssoIdentities } from '../schema'

const OPEN = 'open'
const PREFIX = 'password reset '

/** Keeps the hash of a link that resets a person's password. An email that is sent again does not open a used link again. */
export async function storePasswordReset(
  orm: Orm,
  { tokenHash, personId, expiresAt }: { tokenHash: string; personId: string; expiresAt: Date },
): Promise<void> {
  await orm
    .insert(personVerifications)
    .values({ id: tokenHash, identifier: PREFIX + personId, value: OPEN, expiresAt })
    .onConflictDoNothing()
}

const isOpen = (tokenHash: string) =>
  and(
    eq(personVerifications.id, tokenHash),
    eq(personVerifications.value, OPEN),
    gt(personVerifications.expiresAt, sql`now()`),
    sql`starts_with(${personVerifications.identifier}, ${PREFIX})`,
  )

/** Returns whose password an unused link resets; undefined when it was used, is too old or never existed. */
export async function findReset(orm: Orm, tokenHash: string) {
  const [person] = await orm
    .select({ id: people.id, name: people.name, email: people.email, emailVerified: people.emailVerified })
    .from(personVerifications)
    .innerJoin(people, sql`${personVerifications.identifier} = ${PREFIX} || ${people.id}`)
    .where(isOpen(tokenHash))
  return person
}

/** Uses a link up, and with it every other one of the person. @returns false when it was used already or is too old */
export async function useReset(orm: Orm, tokenHash: string, personId: string): Promise<boolean> {
  const used = await orm
    .update(personVerifications)
    .set({ value: 'used' })
    .where(isOpen(tokenHash))
    .returning({ id: personVerifications.id })
  if (used.length === 0) return false
  await orm
    .update(personVerifications)
    .set({ value: 'used' })
    .where(eq(personVerifications.identifier, PREFIX + personId))
  return true
}

/** Returns whether a person has a password, and whether single sign-on has ever brought them in. */
export async function waysInto(orm: Orm, personId: string): Promise<{ password: boolean; sso: boolean }> {
  const isPassword = and(eq(personAccounts.userId, personId), eq(personAccounts.providerId, 'credential'))
  return {
    password: (await orm.$count(personAccounts, isPassword)) > 0,
    sso: (await orm.$count(ssoIdentities, eq(ssoIdentities.personId, personId))) > 0,
  }
}

/** Takes a person's password away, so that another one can be set. */
export async function deletePassword(orm: Orm, personId: string): Promise<void> {
  await orm
    .delete(personAccounts)
    .where(and(eq(personAccounts.userId, personId), eq(personAccounts.providerId, 'credential')))
}
