import { type Orm, withinContractor } from '@/db/client'
import { closeInvitation, lockInvitationTo } from '@/db/queries/invitations'
import { lockMembers, putMember } from '@/db/queries/members'
import { findPerson, insertPerson } from '@/db/queries/people'
import { findIdentity, findSubject, proveProvider, putIdentity, type SsoProvider } from '@/db/queries/sso'
import { parseEmail } from '@/lib/core/contact'
import { newId } from '@/lib/core/ids'
import type { Role } from '@/lib/core/roles'
import { accountOf } from '../actor'
import { audit } from '../audit'
import { scopesOfRole } from '../roles'
import { SsoRefusal } from './refusal'

/** The claims that a provider makes about whoever signed in there. */
export type Claims = Record<string, unknown> & { sub: string }

/** A person who may come in. */
export type Admitted = { id: string; name: string; email: string }

/** The issuer by which Google signs for every company; `hd` says which one manages the account. */
const GOOGLE = 'https://accounts.google.com'

/** Reports whether an address is verified. Microsoft has a claim of its own that the domain's owner verified it. */
const isVerified = ({ email_verified, xms_edov }: Claims): boolean =>
  email_verified === true || email_verified === 'true' || xms_edov === true || xms_edov === 1 || xms_edov === '1'

/**
 * Returns the address that a provider vouches for.
 * @throws SsoRefusal when it is not verified, or of a domain that this contractor's provider may not sign in
 */
function emailOf({ issuer, domains }: Pick<SsoProvider, 'issuer' | 'domains'>, claims: Claims): string {
  const email = parseEmail(String(claims.email ?? ''))
  if (email === undefined || !isVerified(claims)) throw new SsoRefusal('unverified')
  if (!domains.includes(email.slice(email.lastIndexOf('@') + 1))) throw new SsoRefusal('domain')
  if (issuer === GOOGLE && !domains.includes(String(claims.hd ?? ''))) throw new SsoRefusal('domain')
  return email
}

const nameOf = ({ name }: Claims, email: string): string =>
  (typeof name === 'string'
    ? name
        .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim()
        .slice(0, 100)
    : '') || email.slice(0, email.indexOf('@'))

/** The person who signs in, and for somebody new, the role and the invitation they join with. */
type Arriving = { person: Admitted; joining?: { role: Role; invitationId: string | undefined } }

/**
 * Finds who a subject means, or makes the account of somebody new, without a password: nobody but the provider has confirmed the address.
 * @throws SsoRefusal `unknown` for somebody new whom nobody invited
 */
async function arrive(tx: Orm, provider: SsoProvider, claims: Claims, email: string): Promise<Arriving> {
  const { contractorId, issuer, joinRole } = provider
  const known = (await findIdentity(tx, { contractorId, issuer, subject: claims.sub })) ?? (await findPerson(tx, email))
  if (known) return { person: { id: known.id, name: known.name, email: known.email } }
  const invitation = await lockInvitationTo(tx, contractorId, email)
  const role = invitation?.role ?? joinRole
  if (role === null) throw new SsoRefusal('unknown')
  const person = { id: newId('person'), name: nameOf(claims, email), email }
  await insertPerson(tx, person)
  return { person, joining: { role, invitationId: invitation?.id } }
}

/**
 * Returns who comes in through a contractor's provider: somebody on its team, or a new person whom it invited or lets join. An account that
 * exists gains a contractor by its owner's own acceptance only, never by what a provider says. Who is linked to one subject is no other one of
 * the same provider: a second account there with a used address is somebody else.
 * @throws SsoRefusal
 */
export async function admit(orm: Orm, provider: SsoProvider, claims: Claims, address: string): Promise<Admitted> {
  const { contractorId, issuer } = provider
  const email = emailOf(provider, claims)
  return await orm.transaction(async (outer) => {
    // Accounts are made outside the fence, which lets nobody write them.
    const { person, joining } = await arrive(outer, provider, claims, email)
    await withinContractor(outer, contractorId, async (tx) => {
      const team = await lockMembers(tx, contractorId)
      if (joining) {
        const { role, invitationId } = joining
        await putMember(tx, { contractorId, personId: person.id, role })
        if (invitationId) await closeInvitation(tx, invitationId)
        const by = { ...accountOf(person, address), role, contractorId, scopes: scopesOfRole(role) }
        await audit(tx, by, { event: 'sso_joined', subject: role, detail: { invited: invitationId !== undefined } })
      } else if (!team.some(({ personId }) => personId === person.id)) throw new SsoRefusal('account')
      // The team is locked, so of two subjects with one address that arrive together only the first is linked.
      const linked = await findSubject(tx, { contractorId, issuer, personId: person.id })
      if (linked !== undefined && linked !== claims.sub) throw new SsoRefusal('linked')
      await putIdentity(tx, { contractorId, issuer, subject: claims.sub, personId: person.id })
      await proveProvider(tx, contractorId, issuer)
    })
    return person
  })
}
