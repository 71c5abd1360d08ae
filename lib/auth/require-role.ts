import { ServiceError } from '@/lib/core/errors'
import { isAtLeast, type Role } from '@/lib/core/roles'
import type { Actor } from './actor'
import { ROLE_TEXTS } from './roles'

const NOT_BY_KEY = 'Keys cannot do this. Sign in to the portal instead.'

/**
 * Allows the operator, and people with this role or a higher one.
 * @throws ServiceError `forbidden` for keys, and for people with a lower role
 */
export function requireRole(actor: Actor, needed: Role): void {
  if (actor.kind === 'operator') return
  if (actor.kind !== 'person') throw new ServiceError('forbidden', NOT_BY_KEY)
  if (isAtLeast(actor.role, needed)) return
  throw new ServiceError(
    'forbidden',
    `This requires the role ${ROLE_TEXTS[needed].title}; yours is ${ROLE_TEXTS[actor.role].title}. Ask an administrator of this contractor.`,
  )
}

const ONLY = {
  operator: 'Only the operator of this service can do this, on the command line.',
  person: 'Only someone who is signed in to the portal can do this, for their own account.',
  invited: 'Only the invited person can do this, with the link in the invitation.',
}

/** Allows one kind of actor. @throws ServiceError `forbidden` for every other */
export function requireKind(actor: Actor, kind: keyof typeof ONLY): void {
  if (actor.kind !== kind) throw new ServiceError('forbidden', ONLY[kind])
}
