import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { and, asc, desc, eq, exists, gt, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Orm } from '../client'
import {
  contractors,
  invitations,
  members,
  people,
  personAccounts,
  personPasskeys,
  personSessions,
  personTwoFactors,
  personVerifications,
} from '../schema'

export type Member = typeof members.$inferSelect
export type Invitation = typeof invitations.$inferSelect

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

/** The contractors a person serves, by name. */
export async function membershipsOf(orm: Orm, personId: string) {
  return await orm
    .select({
      contractorId: members.contractorId,
      role: members.role,
      name: contractors.name,
      slug: contractors.slug,
      demo: contractors.demo,
    })
    .from(members)
    .innerJoin(contractors, eq(contractors.id, members.contractorId))
    .where(eq(members.personId, personId))
    .orderBy(asc(contractors.name))
}

/** Who serves a contractor, those who have done so longest first, and when they last signed in. */
export async function membersOf(orm: Orm, contractorId: string) {
  return await orm
    .select({
      personId: people.id,
      name: people.name,
      email: people.email,
      role: members.role,
      since: members.createdAt,
      twoFactor: people.twoFactorEnabled,
      lastSignIn: sql<
        string | null
      >`(select max(s.created_at) from person_sessions s where s.person_id = ${people.id})::text`,
    })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(eq(members.contractorId, contractorId))
    .orderBy(asc(members.createdAt), asc(people.email))
}

/** The members of a contractor, locked until the transaction ends, so that the last administrator cannot go twice. */
export async function lockMembers(orm: Orm, contractorId: string): Promise<Member[]> {
  return await orm
    .select()
    .from(members)
    .where(eq(members.contractorId, contractorId))
    .orderBy(asc(members.personId))
    .for('update')
}

/** Makes someone a member, or changes what they are. */
export async function putMember(orm: Orm, member: Pick<Member, 'contractorId' | 'personId' | 'role'>): Promise<void> {
  await orm
    .insert(members)
    .values(member)
    .onConflictDoUpdate({ target: [members.personId, members.contractorId], set: { role: member.role } })
}

export async function deleteMember(orm: Orm, { contractorId, personId }: Pick<Member, 'contractorId' | 'personId'>) {
  await orm.delete(members).where(and(eq(members.contractorId, contractorId), eq(members.personId, personId)))
}

export async function findPerson(orm: Orm, email: string) {
  const [person] = await orm.select().from(people).where(eq(people.email, email))
  return person
}

/** Changes a person's name, or whether the owner of their address is known to hold the account. */
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

/** What a person could sign in with, or was signed in by, and can no more. */
export type EndedWaysIn = { sessions: number; passkeys: number; secondFactor: boolean }

/** Ends every way into a person's account: password, passkeys, second factor, sessions. */
export async function deleteWaysIn(orm: Orm, personId: string): Promise<EndedWaysIn> {
  await orm.delete(personAccounts).where(eq(personAccounts.userId, personId))
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

/** Gives an account that has none its password, as a hash. */
export async function insertPassword(orm: Orm, personId: string, id: string, hash: string): Promise<void> {
  await orm
    .insert(personAccounts)
    .values({ id, userId: personId, accountId: personId, providerId: 'credential', password: hash })
}

/** Whether somebody has joined a contractor with an invitation to this address before. */
export async function hasJoined(orm: Orm, contractorId: string, email: string): Promise<boolean> {
  const [found] = await orm
    .select({ id: invitations.id })
    .from(invitations)
    .where(
      and(eq(invitations.contractorId, contractorId), eq(invitations.email, email), isNotNull(invitations.acceptedAt)),
    )
    .limit(1)
  return found !== undefined
}

export async function insertInvitation(orm: Orm, invitation: typeof invitations.$inferInsert): Promise<void> {
  await orm.insert(invitations).values(invitation)
}

/** An invitation can be accepted while it is unused and young, and while whoever made it may still invite. */
const isOpen = (orm: Orm) =>
  and(
    isNull(invitations.acceptedAt),
    isNull(invitations.withdrawnAt),
    gt(invitations.expiresAt, sql`now()`),
    or(
      isNull(invitations.invitedBy),
      exists(
        orm
          .select({ one: sql`1` })
          .from(members)
          .where(
            and(
              eq(members.contractorId, invitations.contractorId),
              eq(members.personId, invitations.invitedBy),
              eq(members.role, 'admin'),
            ),
          ),
      ),
    ),
  )

/** Invitations of a contractor that can still be accepted, newest first. */
export async function openInvitations(orm: Orm, contractorId: string): Promise<Invitation[]> {
  return await orm
    .select()
    .from(invitations)
    .where(and(eq(invitations.contractorId, contractorId), isOpen(orm)))
    .orderBy(desc(invitations.createdAt))
}

/** The invitation a link's token stands for, with the contractor's name, if it can still be accepted; locked when `lock` is set. */
export async function findInvitation(orm: Orm, tokenHash: string, { lock = false } = {}) {
  const query = orm
    .select({ invitation: invitations, contractor: contractors.name })
    .from(invitations)
    .innerJoin(contractors, eq(contractors.id, invitations.contractorId))
    .where(and(eq(invitations.tokenHash, tokenHash), isOpen(orm)))
  const [found] = await (lock ? query.for('update', { of: invitations }) : query)
  return found
}

/** Says that an invitation was accepted. */
export async function closeInvitation(orm: Orm, id: string): Promise<void> {
  await orm.update(invitations).set({ acceptedAt: sql`now()` }).where(eq(invitations.id, id))
}

/** Which invitations: one, those to an address, or those that a person made, for one contractor or for all. */
export type InvitationsOf =
  | { contractorId: string; id: string }
  | { contractorId: string; email: string }
  | { contractorId?: string; invitedBy: string }

/** Withdraws invitations that nobody has accepted. @returns whose they were */
export async function withdrawInvitations(
  orm: Orm,
  of: InvitationsOf,
): Promise<Pick<Invitation, 'contractorId' | 'email'>[]> {
  return await orm
    .update(invitations)
    .set({ withdrawnAt: sql`now()` })
    .where(
      and(
        isNull(invitations.acceptedAt),
        isNull(invitations.withdrawnAt),
        of.contractorId === undefined ? undefined : eq(invitations.contractorId, of.contractorId),
        'id' in of ? eq(invitations.id, of.id) : undefined,
        'email' in of ? eq(invitations.email, of.email) : undefined,
        'invitedBy' in of ? eq(invitations.invitedBy, of.invitedBy) : undefined,
      ),
    )
    .returning({ contractorId: invitations.contractorId, email: invitations.email })
}

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
