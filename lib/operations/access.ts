import type { Actor } from '@/lib/auth/actor'
import { requireKind, requireProof, requireRole, requireScopes } from '@/lib/auth/require'
import { ServiceError } from '@/lib/core/errors'
import { type AnyOperation, type Context, scopesOf } from './define'

/** An invitation allows only what is meant for invited people. @throws ServiceError `forbidden` */
function requireInvitation(access: AnyOperation['access'], actor: Actor): void {
  requireKind(actor, access === 'invited' ? 'invited' : 'person')
}

/** The executor's check of who may run an operation. @throws ServiceError `forbidden` */
export function requireAccess({ access, name }: Pick<AnyOperation, 'access' | 'name'>, actor: Actor | undefined): void {
  if (access === 'public') return
  if (!actor) throw new Error(`${name} was called on nobody's behalf`)
  if (actor.kind === 'invited' || access === 'invited') requireInvitation(access, actor)
  else if (access === 'admin') requireRole(actor, 'admin')
  else if (access === 'developer') requireRole(actor, 'developer')
  else if (access === 'operator') requireKind(actor, 'operator')
  else if (access === 'account') requireKind(actor, 'person')
  else requireScopes(actor, scopesOf({ access }), 'operation')
}

/** The executor's check of what outlives a session: the person must have proven lately that it is them. @throws ProofNeeded */
export async function requireRecent(
  { proof }: Pick<AnyOperation, 'proof'>,
  ctx: Pick<Context, 'actor' | 'now'>,
  input: unknown,
): Promise<void> {
  if (ctx.actor.kind !== 'person' || proof === undefined) return
  if (proof === 'recent' || (await proof.when(ctx, input))) requireProof(ctx.actor, ctx.now)
}

/**
 * Reports whether the executor would let an actor run an operation. Pages use it to show or hide the operation; the executor checks again
 * when it runs.
 */
export function mayRun(operation: Pick<AnyOperation, 'access' | 'name'>, actor: Actor): boolean {
  try {
    requireAccess(operation, actor)
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}
