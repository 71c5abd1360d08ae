import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Orm } from '../client'
import { contractors, members, people } from '../schema'

export type Member = typeof members.$inferSelect

/**
 * The SQL of whether a session without single sign-on reaches a contractor: one that requires it lets only its longest-serving
 * administrator in with a password, in case the provider fails.
 */
const isOpenToPasswords: SQL = sql`not exists (select 1 from sso_providers s
    where s.contractor_id = ${members.contractorId} and s.required and ${members.personId} is distinct from (
      select m.person_id from members m where m.contractor_id = s.contractor_id and m.role = 'admin'
      order by m.created_at, m.person_id limit 1))`

const hasProvider: SQL = sql`exists (select from sso_providers s where s.contractor_id = ${members.contractorId})`

/**
 * Returns the contractors a person works for and that a session reaches, sorted by name.
 * @param only the one contractor that a session of single sign-on reaches; null for any other session
 */
export async function membershipsOf(orm: Orm, personId: string, only: string | null) {
  return await orm
    .select({
      contractorId: members.contractorId,
      role: members.role,
      name: contractors.name,
      slug: contractors.slug,
      demo: contractors.demo,
      timezone: contractors.timezone,
      currency: contractors.currency,
      country: contractors.country,
    })
    .from(members)
    .innerJoin(contractors, eq(contractors.id, members.contractorId))
    .where(
      and(
        eq(members.personId, personId),
        only === null ? isOpenToPasswords : and(eq(members.contractorId, only), hasProvider),
      ),
    )
    .orderBy(asc(contractors.name))
}

/** Returns the contractors of a person that a session without single sign-on does not reach. */
export async function ssoOnlyPlacesOf(orm: Orm, personId: string): Promise<{ name: string; slug: string }[]> {
  return await orm
    .select({ name: contractors.name, slug: contractors.slug })
    .from(members)
    .innerJoin(contractors, eq(contractors.id, members.contractorId))
    .where(and(eq(members.personId, personId), sql`not (${isOpenToPasswords})`))
    .orderBy(asc(contractors.name))
}

/** Returns a contractor's members, longest-serving first, with their last sign-in. */
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

/** Returns the addresses of a contractor's administrators. */
export async function adminsOf(orm: Orm, contractorId: string): Promise<string[]> {
  const found = await orm
    .select({ email: people.email })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(and(eq(members.contractorId, contractorId), eq(members.role, 'admin')))
    .orderBy(asc(people.email))
  return found.map(({ email }) => email)
}

/**
 * Returns a contractor's members, locked until the transaction ends, so that two requests cannot both remove the last
 * administrator.
 */
export async function lockMembers(orm: Orm, contractorId: string): Promise<Member[]> {
  return await orm
    .select()
    .from(members)
    .where(eq(members.contractorId, contractorId))
    .orderBy(asc(members.personId))
    .for('update')
}

/** Adds a member, or changes a member's role. */
export async function putMember(orm: Orm, member: Pick<Member, 'contractorId' | 'personId' | 'role'>): Promise<void> {
  await orm
    .insert(members)
    .values(member)
    .onConflictDoUpdate({ target: [members.personId, members.contractorId], set: { role: member.role } })
}

export async function deleteMember(orm: Orm, { contractorId, personId }: Pick<Member, 'contractorId' | 'personId'>) {
  await orm.delete(members).where(and(eq(members.contractorId, contractorId), eq(members.personId, personId)))
}
