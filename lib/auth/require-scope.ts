import { ServiceError } from '@/lib/core/errors'
import type { Actor, Grant } from './actor'
import { challenge } from './oauth/places'
import { ROLE_TEXTS, scopesOfRole } from './roles'
import type { Scope } from './scopes'

const inWords = (scopes: readonly Scope[]) => scopes.join(' and ')

/**
 * Returns what a program without a scope is told. A scope that its person may grant is asked for by a challenge that names all it needs at
 * once (MCP authorization, step-up). A scope that the person's role does not have is no matter of consent: a challenge would send them
 * round in circles.
 */
function ofGrant({ role, face }: Grant, held: ReadonlySet<Scope>, missing: readonly Scope[]) {
  const beyond = missing.filter((scope) => !scopesOfRole(role).has(scope))
  if (beyond.length > 0)
    return {
      message: `This needs ${inWords(beyond)}, which the role ${ROLE_TEXTS[role].title} does not have. Ask an administrator of this contractor.`,
    }
  const description = `This needs ${inWords(missing)}`
  const header = challenge(face, { error: 'insufficient_scope', description }, [...held, ...missing])
  return {
    message: `This connection lacks ${inWords(missing)}. Connect again and allow it.`,
    headers: { 'www-authenticate': header },
  }
}

/**
 * The error `forbidden`, because a key or a connection lacks a scope. When the operation always needs it (`neededBy`), MCP answers with a
 * protocol error; when only this input needs it, an agent may call the operation with another input.
 */
export class MissingScope extends ServiceError {
  constructor(
    actor: Actor,
    missing: readonly Scope[],
    readonly neededBy: 'operation' | 'input',
  ) {
    const told =
      actor.kind === 'key' && actor.grant
        ? ofGrant(actor.grant, actor.scopes, missing)
        : {
            message: `This key lacks the scope ${inWords(missing)}. Use a key that has it, or ask your administrator for one.`,
          }
    super('forbidden', told.message, 'headers' in told ? { headers: told.headers } : {})
  }
}

/** Checks an actor's scopes. @throws MissingScope with every scope of `needed` that is missing */
export function requireScopes(actor: Actor, needed: readonly Scope[], neededBy: MissingScope['neededBy']): void {
  const missing = needed.filter((scope) => !actor.scopes.has(scope))
  if (missing.length > 0) throw new MissingScope(actor, missing, neededBy)
}
