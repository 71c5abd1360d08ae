import { shared } from '@/lib/core/shared'
import type { RpcId } from './fault'
import type { Message } from './gate'

/** The notification by which a client cancels a call. */
export const CANCELLED = 'notifications/cancelled'

/** The calls of sessions that this process runs, by session and id. */
const running = shared<Map<string, AbortController>>('mcpCalls', () => new Map())

const nameOf = (sessionId: string, id: RpcId): string => JSON.stringify([sessionId, id])

/** Begins a session's call, which its client can cancel until it ends. */
export function beginCall(sessionId: string, id: RpcId): { cancelled: AbortSignal; end(): void } {
  const controller = new AbortController()
  const name = nameOf(sessionId, id)
  running().set(name, controller)
  const end = () => {
    if (running().get(name) === controller) running().delete(name)
  }
  return { cancelled: controller.signal, end }
}

/**
 * Cancels the call that {@link CANCELLED} names. One that has ended, or that another process runs, is not stopped, as the protocol allows:
 * its answer goes to a client that no longer waits for it.
 */
export function cancelCall(sessionId: string, { params }: Message): void {
  const { requestId } = Object(params)
  if (typeof requestId !== 'string' && typeof requestId !== 'number') return
  running().get(nameOf(sessionId, requestId))?.abort()
}
