import type { Role } from '@/lib/core/roles'
import type { AddressRange } from './address-ranges'
import { SCOPES, type Scope } from './scopes'

/** The two protected resources that access tokens are issued for. */
export type ProtectedResource = 'mcp' | 'api'

/** The person whose connection an access token belongs to, and what it is good for. */
export type Grant = {
  person: { id: string; name: string; email: string }
  /** The name that the person's program calls itself. */
  client: string
  /** The role they have. */
  role: Role
  face: ProtectedResource
}

/**
 * The holder of an API key, or a program that acts for a person by an access token: then `keyId` and `lineage` are the id of its grant.
 * Of a key, `lineage` is the first in its chain of rotations, or the key itself when it was never rotated.
 */
export type KeyActor = {
  kind: 'key'
  keyId: string
  lineage: string
  contractorId: string
  scopes: ReadonlySet<Scope>
  /** Addresses it may be used from; undefined for any. */
  allowed?: AddressRange[] | undefined
  /** The key's own limit in requests per minute over everything; undefined when it has none. */
  perMinute?: number | undefined
  /** True when that limit replaces the one by address. */
  insteadOfAddress?: boolean | undefined
  /** True when it works only as part of a lead sender's URL. */
  inUrl?: true
  /** The only lead source that such a URL sends to. */
  leadSource?: string
  /** The grant of the connection; undefined for a key. */
  grant?: Grant | undefined
}

/** The operator of the service, on the command line, acting for one contractor. */
export type OperatorActor = { kind: 'operator'; contractorId: string; scopes: ReadonlySet<Scope> }

/** A person signed in to the portal, for one of their contractors; `address` is the IP address of their request. */
export type PersonActor = {
  kind: 'person'
  personId: string
  name: string
  email: string
  role: Role
  contractorId: string
  scopes: ReadonlySet<Scope>
  address: string
  /** The time when they last proved in this session that it is them; null without a session of the portal. */
  provenAt: Date | null
}

/** The holder of an open invitation link, whoever they are. They may accept it and do nothing else. */
export type InvitedActor = {
  kind: 'invited'
  contractorId: string
  email: string
  /** The hash of the link's token. */
  tokenHash: string
  scopes: ReadonlySet<Scope>
  address: string
}

/** The actor who may change a contractor's settings: a signed-in person or the operator, but never a key. */
export type ActingPerson = OperatorActor | PersonActor

/** The actor that an operation runs for. The tenant always comes from here, never from an argument. */
export type Actor = KeyActor | OperatorActor | PersonActor | InvitedActor

/** Returns the operator acting for a contractor, with every scope. */
export const operatorFor = (contractorId: string): OperatorActor => ({
  kind: 'operator',
  contractorId,
  scopes: new Set(SCOPES),
})

/** The operator acting for no contractor or for all: accounts, new contractors, public data. */
export const serviceOperator = (): OperatorActor => operatorFor('')

/** A signed-in person acting on their own account, with no contractor and no scopes. */
export const accountOf = (
  { id, name, email, session }: { id: string; name: string; email: string; session?: { provenAt: Date | null } },
  address: string,
): PersonActor => ({
  kind: 'person',
  personId: id,
  name,
  email,
  role: 'viewer',
  contractorId: '',
  scopes: new Set(),
  address,
  provenAt: session?.provenAt ?? null,
})

/** Returns the author of a change. @throws Error for other actors, which the access check has already refused */
export function personOf(actor: Actor): ActingPerson {
  if (actor.kind === 'person' || actor.kind === 'operator') return actor
  throw new Error(`${actor.kind} changes nothing for people`)
}

/** Returns the signed-in person. @throws Error for other actors, which the access check has already refused */
export function signedInOf(actor: Actor): PersonActor {
  if (actor.kind === 'person') return actor
  throw new Error(`${actor.kind} has no account`)
}

/** Returns the operator. @throws Error for other actors, which the access check has already refused */
export function operatorOf(actor: Actor): OperatorActor {
  if (actor.kind === 'operator') return actor
  throw new Error(`${actor.kind} does not run the service`)
}

/** Returns the invited person. @throws Error for other actors, which the access check has already refused */
export function invitedOf(actor: Actor): InvitedActor {
  if (actor.kind === 'invited') return actor
  throw new Error(`${actor.kind} holds no invitation`)
}

/** The person for whom a program acts, as the author of what it writes: named with the program. Undefined for a key. */
export function personOfGrant({ grant, contractorId, scopes }: KeyActor): PersonActor | undefined {
  if (!grant) return undefined
  const { person, client, role } = grant
  return {
    kind: 'person',
    personId: person.id,
    name: `${person.name} via ${client}`,
    email: person.email,
    role,
    contractorId,
    scopes,
    address: '',
    provenAt: null,
  }
}
