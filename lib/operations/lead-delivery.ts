import type { ServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { keepDelivery } from '@/lib/leads/deliveries'
import type { Origin } from '@/lib/leads/intake'
import { INBOUND, readDelivery } from '@/lib/leads/read'
import { LeadRefused } from '@/lib/leads/receive'
import { withoutSecrets } from '@/lib/leads/redact'
import { findSource } from '@/lib/leads/sources/registry'
import { whoOf } from '@/lib/leads/who'
import { takeLocalLimit } from '@/lib/limits/limiter'
import type { Context, Received } from './define'

/** What of a request is kept with its delivery. */
export function originOf({ actor, now, received }: Context, body: unknown): Origin {
  const raw = received?.body ?? JSON.stringify(body)
  return {
    contractorId: actor.contractorId,
    keyId: actor.kind === 'key' ? actor.keyId : null,
    requestId: received?.requestId ?? newRequestId(),
    at: received?.at ?? now,
    contentType: received ? (received.contentType?.slice(0, 200) ?? null) : 'application/json',
    bytes: received?.bytes ?? Buffer.byteLength(raw),
    body: withoutSecrets(raw),
  }
}

const isThrottled = (error: ServiceError, keyId: string | null) =>
  error.code === 'rate_limited' && !takeLocalLimit('leads', 'kept refusals', keyId ?? 'operator').allowed

/** Whose lead a body is that was refused before it was read; read as any form where its address names no source. */
function whoInBody({ body, contentType }: Origin, source: string) {
  const known = source === INBOUND || findSource(source) ? source : 'zapier'
  return whoOf(readDelivery(known, body, contentType).values)
}

/**
 * Keeps what was refused, so that it can be seen, edited and run again. Of requests over the limit as many again are kept, no
 * more: a sender gone wild must not fill the disk. When the fault is ours the sender does not wait for it.
 */
export async function keepRefused(ctx: Context & { received: Received }, error: ServiceError): Promise<void> {
  const origin = originOf(ctx, undefined)
  if (isThrottled(error, origin.keyId)) return
  const source = sourceOf(ctx.received.path)
  const { mapping, who } = error instanceof LeadRefused ? error : { mapping: undefined, who: whoInBody(origin, source) }
  const kept = keepDelivery(origin, {
    source,
    outcome: error.code === 'internal' ? 'failed' : 'refused',
    status: error.status,
    reason: error.message,
    faults: error.fields,
    mapping,
    who,
  }).catch((fault) => logFault({ operation: 'keep delivery', requestId: origin.requestId }, fault))
  if (error.code !== 'internal') await kept
}

/** A source's name without the key that may stand behind it. */
export const nameIn = (segment: string) => segment.split('.', 1)[0]?.slice(0, 50) ?? ''

/** The source that a path names, under its own name. */
export function sourceOf(path: string): string {
  const name = nameIn(path.slice(path.lastIndexOf('/') + 1))
  return findSource(name)?.name ?? name
}
