import { database } from '@/db/client'
import { addSubscription, removeSubscription } from '@/db/queries/mcp-sessions'
import type { KeyActor } from '@/lib/auth/actor'
import { endOfFeed } from '@/lib/sync/watch'
import { InvalidParams } from './invalid-params'
import { MOST_URIS, requireSubject, subjectOf } from './subscriptions'
import { streams } from './update-streams'

/**
 * Tells a session's client from now on when a resource changes, over whichever instance has its stream.
 * @throws UnknownResource, RpcFault 403 without the scope, InvalidParams for more URIs than a session may have
 */
export async function subscribe(sessionId: string, actor: KeyActor, uri: string): Promise<void> {
  await requireSubject(uri, actor)
  // A document changes with a deployment, which no process lives to tell of.
  if (subjectOf(uri, actor) === undefined) return
  const since = await endOfFeed(actor.contractorId)
  const all = await addSubscription(await database(), sessionId, { uri, since, most: MOST_URIS })
  if (!all)
    throw new InvalidParams(
      `This session has ${MOST_URIS} subscriptions, and more are not kept. Unsubscribe from one, or subscribe to a list such as plumbline://invoices, which is updated with each of its records.`,
    )
  await streams().set(sessionId, all)
}

/** Tells a session's client no longer of a resource; nothing happens where it was not told. */
export async function unsubscribe(sessionId: string, uri: string): Promise<void> {
  const left = await removeSubscription(await database(), sessionId, uri)
  if (left) await streams().set(sessionId, left)
}
