import { and, asc, eq, sql } from 'drizzle-orm'
import type { Orm } from '../client'
import { contractors, members, people, personSessions, ssoIdentities, ssoProviders } from '../schema'

export type SsoProvider = typeof ssoProviders.$inferSelect

/** Returns a contractor's identity provider. */
export async function findProvider(orm: Orm, contractorId: string): Promise<SsoProvider | undefined> {
  const [provider] = await orm.select().from(ssoProviders).where(eq(ssoProviders.contractorId, contractorId))
  return provider
}

/** Returns the contractor with a slug and its identity provider; undefined when it has none. */
export async function findProviderBySlug(orm: Orm, slug: string) {
  const [found] = await orm
    .select({ provider: ssoProviders, name: contractors.name, slug: contractors.slug })
    .from(ssoProviders)
    .innerJoin(contractors, eq(contractors.id, ssoProviders.contractorId))
    .where(eq(contractors.slug, slug))
  return found
}

/** Sets a contractor's identity provider. */
export async function putProvider(orm: Orm, provider: Omit<SsoProvider, 'updatedAt'>): Promise<void> {
  const { contractorId, ...set } = provider
  const updatedAt = new Date()
  await orm
    .insert(ssoProviders)
    .values({ ...provider, updatedAt })
    .onConflictDoUpdate({ target: ssoProviders.contractorId, set: { ...set, updatedAt } })
}

/** @returns false when the contractor has none */
export async function deleteProvider(orm: Orm, contractorId: string): Promise<boolean> {
  const gone = await orm.delete(ssoProviders).where(eq(ssoProviders.contractorId, contractorId)).returning()
  return gone.length > 0
}

/** Notes that somebody has signed in through a provider as it is set. */
export async function proveProvider(orm: Orm, contractorId: string, issuer: string): Promise<void> {
  await orm
    .update(ssoProviders)
    .set({ provenAt: sql`now()` })
    .where(and(eq(ssoProviders.contractorId, contractorId), eq(ssoProviders.issuer, issuer)))
}

/** Ends the sessions that a contractor's single sign-on began, of one person or of all. @returns how many */
export async function deleteSsoSessions(orm: Orm, contractorId: string, personId?: string): Promise<number> {
  const ended = await orm
    .delete(personSessions)
    .where(
      and(
        eq(personSessions.onlyContractor, contractorId),
        personId === undefined ? undefined : eq(personSessions.userId, personId),
      ),
    )
    .returning({ id: personSessions.id })
  return ended.length
}

/**
 * Returns the administrator who may enter with a password although single sign-on is required: the one who has been a member longest, so
 * that there always is one when the provider fails.
 */
export async function findBreakGlass(orm: Orm, contractorId: string) {
  const [person] = await orm
    .select({ id: people.id, name: people.name, email: people.email })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(and(eq(members.contractorId, contractorId), eq(members.role, 'admin')))
    .orderBy(asc(members.createdAt), asc(members.personId))
    .limit(1)
  return person
}

/** Sets whether the team reaches a contractor only through its provider. @returns false when it has none */
export async function setRequired(orm: Orm, contractorId: string, required: boolean): Promise<boolean> {
  const set = await orm
    .update(ssoProviders)
    .set({ required })
    .where(eq(ssoProviders.contractorId, contractorId))
    .returning({ id: ssoProviders.contractorId })
  return set.length > 0
}

/** A subject by which a provider names a person. */
export type Identity = { contractorId: string; issuer: string; subject: string }

/** Returns the person that a subject was linked to. */
export async function findIdentity(orm: Orm, { contractorId, issuer, subject }: Identity) {
  const [found] = await orm
    .select({ id: people.id, name: people.name, email: people.email })
    .from(ssoIdentities)
    .innerJoin(people, eq(people.id, ssoIdentities.personId))
    .where(
      and(
        eq(ssoIdentities.contractorId, contractorId),
        eq(ssoIdentities.issuer, issuer),
        eq(ssoIdentities.subject, subject),
      ),
    )
  return found
}

/** Returns the subject that a person is linked to at a contractor's provider. */
export async function findSubject(
  orm: Orm,
  { contractorId, issuer, personId }: Omit<Identity, 'subject'> & { personId: string },
): Promise<string | undefined> {
  const [found] = await orm
    .select({ subject: ssoIdentities.subject })
    .from(ssoIdentities)
    .where(
      and(
        eq(ssoIdentities.contractorId, contractorId),
        eq(ssoIdentities.issuer, issuer),
        eq(ssoIdentities.personId, personId),
      ),
    )
    .orderBy(asc(ssoIdentities.createdAt))
    .limit(1)
  return found?.subject
}

/** Links a subject to a person, or notes that it was used. It stays with the person it was linked to first. */
export async function putIdentity(orm: Orm, identity: Identity & { personId: string }): Promise<void> {
  await orm
    .insert(ssoIdentities)
    .values(identity)
    .onConflictDoUpdate({
      target: [ssoIdentities.contractorId, ssoIdentities.issuer, ssoIdentities.subject],
      set: { usedAt: sql`now()` },
    })
}

/** Unlinks everybody from an issuer of a contractor's. */
export async function deleteIdentitiesAt(orm: Orm, { contractorId, issuer }: Omit<Identity, 'subject'>): Promise<void> {
  await orm
    .delete(ssoIdentities)
    .where(and(eq(ssoIdentities.contractorId, contractorId), eq(ssoIdentities.issuer, issuer)))
}

/** Unlinks a person from a contractor's provider, or from every contractor's. */
export async function deleteIdentities(orm: Orm, personId: string, contractorId?: string): Promise<void> {
  await orm
    .delete(ssoIdentities)
    .where(
      and(
        eq(ssoIdentities.personId, personId),
        contractorId === undefined ? undefined : eq(ssoIdentities.contractorId, contractorId),
      ),
    )
}

/**
 * True where a person has a contractor by an invitation to their address or by an address that they had confirmed, and not because that
 * contractor's own provider named the address: in that case nobody who owns it has ever heard of the contractor.
 */
const isOwnPlace = sql<boolean>`exists (select from invitations i where i.contractor_id = ${members.contractorId}
    and i.email = ${people.email} and i.accepted_at is not null)
  or ${people.emailVerified} and not exists (select from audit_events a where a.actor_id = ${people.id}
    and a.contractor_id = ${members.contractorId} and a.event = 'sso_joined')`

/** Returns the contractors of a person that have single sign-on, by name; `isOwn` says whether an email may point there. */
export async function ssoPlacesOf(orm: Orm, email: string): Promise<{ name: string; slug: string; isOwn: boolean }[]> {
  return await orm
    .select({ name: contractors.name, slug: contractors.slug, isOwn: isOwnPlace })
    .from(people)
    .innerJoin(members, eq(members.personId, people.id))
    .innerJoin(ssoProviders, eq(ssoProviders.contractorId, members.contractorId))
    .innerJoin(contractors, eq(contractors.id, members.contractorId))
    .where(eq(people.email, email))
    .orderBy(asc(contractors.name))
}
