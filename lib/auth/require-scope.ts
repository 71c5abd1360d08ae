import { ServiceError } from '@/lib/core/errors'
import type { Actor } from './actor'
import type { Scope } from './scopes'

/** @throws ServiceError `forbidden` when the actor's key lacks the scope */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.scopes.has(scope)) return
  throw new ServiceError(
    'forbidden',
    `This key lacks the scope ${scope}. Use a key that has it, or ask your administrator for one.`,
  )
}
