import { ServiceError } from '@/lib/core/errors'
import type { Actor } from './actor'
import type { Scope } from './scopes'

/**
 * `forbidden`, because a key lacks a scope. When the operation always needs it (`neededBy`), MCP answers with a protocol error;
 * when only this input needs it, an agent may call the operation with another input.
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

/** Checks an actor's scopes. @throws MissingScope with every scope of `needed` that the key lacks */
export function requireScopes(actor: Actor, needed: readonly Scope[], neededBy: MissingScope['neededBy']): void {
  const missing = needed.filter((scope) => !actor.scopes.has(scope))
  if (missing.length > 0) throw new MissingScope(missing, neededBy)
}
