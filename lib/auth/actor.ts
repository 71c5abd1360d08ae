import type { AddressRange } from './address-ranges'
import type { Role } from './roles'
import { SCOPES, type Scope } from './scopes'

/** Who holds an API key; `lineage` is the first key of its chain of rotations, itself when it was never rotated. */
export type KeyActor = {
  kind: 'key'
  keyId: string
  lineage: string
  contractorId: string
  scopes: ReadonlySet<Scope>
  /** Where it may be used from; undefined for anywhere. */
  allowed?: AddressRange[] | undefined
  /** Its own limit, requests a minute over everything; undefined for none of its own. */
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

/** Who may change things for a contractor: someone signed in, or the operator. A key never does. */
export type ActingPerson = OperatorActor | PersonActor

/** On whose behalf something runs. The tenant always comes from here, never from an argument. */
export type Actor = KeyActor | OperatorActor | PersonActor

/** The operator for a contractor, with every scope. */
export const operatorFor = (contractorId: string): OperatorActor => ({
  kind: 'operator',
  contractorId,
  scopes: new Set(SCOPES),
})

/** The person who changes something. @throws Error for a key, which no operation for people lets through */
export function personOf(actor: Actor): ActingPerson {
  if (actor.kind === 'key') throw new Error('a key changes nothing for people')
  return actor
}
