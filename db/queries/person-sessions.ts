import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { and, eq, lt, ne, sql } from 'drizzle-orm'
import type { Orm } from '../client'
import {
  people,
  personAccounts,
  personPasskeys,
  personSessions,
  personTwoFactors,
  personVerifications,
} from '../schema'

/** Where sign-in keeps its records. */
export const peopleStore = (orm: Orm) =>
  drizzleAdapter(orm, {
    provider: 'pg',
    schema: {
      user: people,
      session: personSessions,
      account: personAccounts,
      verification: personVerifications,
      twoFactor: personTwoFactors,
      passkey: personPasskeys,
    },
  })

/** Notes that a code was used. @returns false when it was before, within the time that codes work for */
export async function claimCode(orm: Orm, id: string, expiresAt: Date): Promise<boolean> {
  const claimed = await orm
    .insert(personVerifications)
    .values({ id, identifier: 'code used', value: '', expiresAt })
    .onConflictDoUpdate({
      target: personVerifications.id,
      set: { expiresAt },
      setWhere: lt(personVerifications.expiresAt, sql`now()`),
    })
    .returning({ id: personVerifications.id })
  return claimed.length > 0
}

/** Ends the session with this token. */
export async function deleteSession(orm: Orm, token: string): Promise<void> {
  await orm.delete(personSessions).where(eq(personSessions.token, token))
}

/** Ends the sessions of a person, all or all but one. @returns how many there were */
export async function deleteSessions(orm: Orm, personId: string, exceptToken?: string): Promise<number> {
  const ended = await orm
    .delete(personSessions)
    .where(
      and(
        eq(personSessions.userId, personId),
        exceptToken === undefined ? undefined : ne(personSessions.token, exceptToken),
      ),
    )
    .returning({ id: personSessions.id })
  return ended.length
}
