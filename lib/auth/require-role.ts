import { ServiceError } from '@/lib/core/errors'
import type { Actor } from './actor'
import { isAtLeast, ROLE_TEXTS, type Role } from './roles'

/**
 * Lets the operator pass, and people of the role or above.
 * @throws ServiceError `forbidden` for keys, and for people of a lesser role
 */
export function requireRole(actor: Actor, needed: Role): void {
  if (actor.kind === 'operator') return
  if (actor.kind === 'key')
    throw new ServiceError('forbidden', 'No key can do this, only people who are signed in to the portal.')
  if (isAtLeast(actor.role, needed)) return
  throw new ServiceError(
    'forbidden',
    `This needs the role ${ROLE_TEXTS[needed].title}; yours is ${ROLE_TEXTS[actor.role].title}. Ask an administrator of this contractor.`,
  )
}
