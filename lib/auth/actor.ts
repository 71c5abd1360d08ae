import type { AddressRange } from './address-ranges'
import type { Role } from './roles'
import { SCOPES, type Scope } from './scopes'

/** The holder of an API key. `lineage` is the first key in its chain of rotations, or the key itself when it was never rotated. */
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
}

/** Who runs the service itself, at its command line, for one contractor. */
export type OperatorActor = { kind: 'operator'; contractorId: string; scopes: ReadonlySet<Scope> }

/** Who is signed in to the portal, for one of the contractors they serve; `address` is where their request comes from. */
export type PersonActor = {
  kind: 'person'
  personId: string
  name: string
  email: string
  role: Role
  contractorId: string
  scopes: ReadonlySet<Scope>
  address: string
}

/** The holder of an open invitation link, whoever they are. They may accept it and do nothing else. */
export type InvitedActor = {
  kind: 'invited'
  contractorId: string
  email: string
  /** What is kept of the link's token. */
  tokenHash: string
  scopes: ReadonlySet<Scope>
  address: string
}

/** Who may change things for a contractor: someone signed in, or the operator. A key never does. */
export type ActingPerson = OperatorActor | PersonActor

/** Who an operation runs for. The tenant always comes from here, never from an argument. */
export type Actor = KeyActor | OperatorActor | PersonActor | InvitedActor

/** The operator for a contractor, with every scope. */
export const operatorFor = (contractorId: string): OperatorActor => ({
  kind: 'operator',
  contractorId,
  scopes: new Set(SCOPES),
})

/** The operator for what concerns no contractor, or all of them: accounts, new contractors, what is public. */
export const serviceOperator = (): OperatorActor => operatorFor('')

/** Someone who is signed in, for what is their own: with no contractor and no scopes. */
export const accountOf = (
  { id, name, email }: { id: string; name: string; email: string },
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
})

/** The person who changes something. @throws Error for others, which no operation for people lets through */
export function personOf(actor: Actor): ActingPerson {
  if (actor.kind === 'person' || actor.kind === 'operator') return actor
  throw new Error(`${actor.kind} changes nothing for people`)
}

/** Whoever is signed in. @throws Error for others, which no operation on one's own account lets through */
export function signedInOf(actor: Actor): PersonActor {
  if (actor.kind === 'person') return actor
  throw new Error(`${actor.kind} has no account`)
}

/** The operator. @throws Error for others, which no operation of the operator's lets through */
export function operatorOf(actor: Actor): OperatorActor {
  if (actor.kind === 'operator') return actor
  throw new Error(`${actor.kind} does not run the service`)
}

/** Who was invited. @throws Error for others, which no operation for the invited lets through */
export function invitedOf(actor: Actor): InvitedActor {
  if (actor.kind === 'invited') return actor
  throw new Error(`${actor.kind} holds no invitation`)
}
