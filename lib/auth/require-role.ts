import { ServiceError } from '@/lib/core/errors'
import type { Actor } from './actor'
import { isAtLeast, ROLE_TEXTS, type Role } from './roles'

const NOT_BY_KEY = 'Keys cannot do this, only people who are signed in to the portal.'

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
    `This needs the role ${ROLE_TEXTS[needed].title}; yours is ${ROLE_TEXTS[actor.role].title}. Ask an administrator of this contractor.`,
  )
}

const ONLY = {
  operator: 'Only whoever runs this service can do this, at its command line.',
  person: 'Only someone who is signed in to the portal can do this, for their own account.',
  invited: 'Only who was invited can do this, with the link of the invitation.',
}

/** Allows one kind of actor. @throws ServiceError `forbidden` for every other */
export function requireKind(actor: Actor, kind: keyof typeof ONLY): void {
  if (actor.kind !== kind) throw new ServiceError('forbidden', ONLY[kind])
}
