import { ServiceError } from '@/lib/core/errors'
import { isAtLeast, type Role } from '@/lib/core/roles'
import type { Actor, Grant, PersonActor } from './actor'
import { challenge } from './oauth/places'
import { ROLE_TEXTS, scopesOfRole } from './roles'
import type { Scope } from './scopes'

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

/** The minutes that a proof counts as recent. */
export const PROOF_MINUTES = 10

/** Reports whether a proof that was given at a moment is recent. */
export const isRecentProof = (provenAt: Date | null, now: Date): boolean =>
  provenAt !== null && now.getTime() - provenAt.getTime() < PROOF_MINUTES * 60_000

/** The error `forbidden`, because what a person asks for outlives their session, and they have not proven lately that it is them. */
export class ProofNeeded extends ServiceError {
  constructor() {
    super('forbidden', 'Confirm it’s you first, because you signed in a while ago. Nothing was changed.')
  }
}

/** Checks that a person has proven lately that it is them. @throws ProofNeeded */
export function requireProof({ provenAt }: PersonActor, now: Date): void {
  if (!isRecentProof(provenAt, now)) throw new ProofNeeded()
}

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
