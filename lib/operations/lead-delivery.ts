import * as z from 'zod'
import type { KeyActor } from '@/lib/auth/actor'
import { isOurs, Overloaded, type ServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { overloadOf } from '@/lib/core/overload'
import { withoutEnd } from '@/lib/core/text'
import { storeDelivery } from '@/lib/leads/deliveries'
import type { Origin } from '@/lib/leads/intake'
import { INBOUND, readDelivery } from '@/lib/leads/read'
import { LeadRefused } from '@/lib/leads/receive'
import { withoutSecrets } from '@/lib/leads/redact'
import { leadsIn, mayHoldSeveral } from '@/lib/leads/several'
import { findSource } from '@/lib/leads/sources/registry'
import { whoOf } from '@/lib/leads/who'
import { consumeLocalLimit } from '@/lib/limits/limiter'
import type { Context, Received, SuccessAnswer } from './define'

/** The maximum size of a lead in bytes, by the specification's decisions. */
export const MAX_BYTES = 64 * 1024

/** A project was created. */
export const Created = z.object({
  success: z.literal(true),
  projectId: z.string(),
  jobNumber: z.int().describe('Counts up per contractor'),
  message: z.string(),
})
/** The lead was received before. */
export const Duplicate = z.object({
  success: z.literal(true),
  projectId: z.string(),
  duplicate: z.literal(true),
  message: z.string(),
})
/** The sender’s own test. */
export const Test = z.object({ success: z.literal(true), test: z.literal(true), message: z.string() })
/** An event that is no lead. */
export const Ignored = z.object({ success: z.literal(true), ignored: z.literal(true), message: z.string() })

export const CREATED = {
  success: true as const,
  projectId: 'prj_01k9zq2v6n8m4t5c3b7x1w0jd2',
  jobNumber: 118,
  message: 'Lead received; a project was created.',
}
const DUPLICATE = {
  success: true as const,
  projectId: CREATED.projectId,
  duplicate: true as const,
  message: 'This lead was already received; nothing was created.',
}

export const duplicateAnswer: SuccessAnswer = {
  description: 'Received before: nothing was created, the project is the first one’s',
  schema: Duplicate,
  example: DUPLICATE,
}

/** Returns the data of a request kept with its delivery. */
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
    idempotencyKey: received?.header('idempotency-key')?.trim() || undefined,
  }
}

const isThrottled = (error: ServiceError, keyId: string | null) =>
  error.code === 'rate_limited' && !consumeLocalLimit('leads', 'kept refusals', keyId ?? 'operator').allowed

/** Returns whose lead a body is that was refused before it was read; a body is read as any form where its address names no source. */
function whoInBody({ body, contentType }: Origin, source: string) {
  const known = source === INBOUND || findSource(source) ? source : 'zapier'
  return whoOf(readDelivery(known, body, contentType).values)
}

/**
 * Keeps what was refused, so that it can be seen, edited and run again. Of requests over the limit as many again are kept, no
 * more: a sender gone wild must not fill the disk. When the fault is ours the sender does not wait for it.
 */
export async function storeRefusedDelivery(ctx: Context & { received: Received }, error: ServiceError): Promise<void> {
  const origin = originOf(ctx, undefined)
  if (isThrottled(error, origin.keyId)) return
  const source = sourceOf(ctx.received.path)
  const { mapping, who } = error instanceof LeadRefused ? error : { mapping: undefined, who: whoInBody(origin, source) }
  const kept = storeDelivery(origin, {
    source,
    outcome: isOurs(error) ? 'failed' : 'refused',
    status: error.status,
    reason: error.message,
    faults: error.fields,
    mapping,
    who,
  }).catch((fault) => {
    // What keeps both from being stored is logged with the answer.
    if (error instanceof Overloaded && overloadOf(fault)) return
    logFault({ operation: 'keep delivery', requestId: origin.requestId }, fault)
  })
  if (!isOurs(error)) await kept
}

/**
 * Returns how many leads a body counts as. Only as many bodies a minute are parsed for that as may hold a lead each; a further one counts
 * as all that there may be, so that a flood of what does not fit costs nothing.
 */
export function leadsOf({ keyId }: KeyActor, { path, ...sent }: Received): number {
  const source = findSource(sourceOf(path))
  if (!source || !mayHoldSeveral(source, sent.body)) return 1
  if (!consumeLocalLimit('leads', 'counted bodies', keyId).allowed) return Number.MAX_SAFE_INTEGER
  try {
    return leadsIn(source, sent).length
  } catch {
    // It is refused as a whole.
    return 1
  }
}

/** A source's name without the key that may stand behind it. */
export const nameIn = (segment: string) => segment.split('.', 1)[0]?.slice(0, 50) ?? ''

/** The source that a path names, under its own name. */
export function sourceOf(path: string): string {
  const whole = withoutEnd(path, /\//)
  const name = nameIn(whole.slice(whole.lastIndexOf('/') + 1))
  return findSource(name)?.name ?? name
}
