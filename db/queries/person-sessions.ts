import { and, desc, eq, gt, lt, ne, sql } from 'drizzle-orm'
import type { Orm } from '../client'
import { personSessions, personVerifications } from '../schema'
import type { Proof } from '../schema/people'

/** Records that a code was used. @returns false when it was already used and has not expired yet */
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

/** Notes when and how the person of a session proved that it is them. */
export async function noteProof(
  orm: Orm,
  session: { id: string } | { token: string },
  { at, by }: { at: Date; by: Proof },
): Promise<void> {
  const isThis = 'id' in session ? eq(personSessions.id, session.id) : eq(personSessions.token, session.token)
  await orm.update(personSessions).set({ provenAt: at, provenBy: by }).where(isThis)
}

/** Ends the session with this token. */
export async function deleteSession(orm: Orm, token: string): Promise<void> {
  await orm.delete(personSessions).where(eq(personSessions.token, token))
}

/** Ends a person's sessions, all or all but one. @returns how many it ended */
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

/** Returns a person's open sessions, newest first, without their tokens. */
export async function openSessions(orm: Orm, personId: string, now: Date) {
  const { id, createdAt, expiresAt, userId } = personSessions
  return await orm
    .select({
      id,
      address: sql<string | null>`nullif(${personSessions.ipAddress}, '')`,
      userAgent: sql<string | null>`nullif(${personSessions.userAgent}, '')`,
      createdAt,
      expiresAt,
    })
    .from(personSessions)
    .where(and(eq(userId, personId), gt(expiresAt, now)))
    .orderBy(desc(createdAt))
}

/** Ends one of a person's sessions by its id. @returns false when the person has no such session */
export async function deleteOwnSession(orm: Orm, personId: string, id: string): Promise<boolean> {
  const ended = await orm
    .delete(personSessions)
    .where(and(eq(personSessions.userId, personId), eq(personSessions.id, id)))
    .returning({ id: personSessions.id })
  return ended.length > 0
}
