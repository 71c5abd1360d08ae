import { ServiceError } from '@/lib/core/errors'
import type { Actor } from './actor'
import type { Scope } from './scopes'

/**
 * A key without a scope it needs: `forbidden`. `neededBy` the operation, whatever it is called with, MCP answers it as a fault of the
 * protocol; needed for this very input, an agent may call it with another.
 */
export class MissingScope extends ServiceError {
  constructor(
    missing: readonly Scope[],
    readonly neededBy: 'operation' | 'input',
  ) {
    super(
      'forbidden',
      `This key lacks the scope ${missing.join(' and ')}. Use a key that has it, or ask your administrator for one.`,
    )
  }
}

/** @throws MissingScope with every scope of `needed` that the actor's key lacks */
export function requireScopes(actor: Actor, needed: readonly Scope[], neededBy: MissingScope['neededBy']): void {
  const missing = needed.filter((scope) => !actor.scopes.has(scope))
  if (missing.length > 0) throw new MissingScope(missing, neededBy)
}
