import { database, withinContractor } from '@/db/client'
import { insertDelivery, pruneDeliveries } from '@/db/queries/deliveries'
import { env } from '@/lib/core/env'
import type { FieldFault } from '@/lib/core/errors'
import { firstIdAt, newId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { processWide } from '@/lib/core/shared'
import type { Origin } from './intake'
import type { Mapping } from './read'

/** What became of a delivery. `failed` is our fault: the sender was told to try again. */
export const OUTCOMES = ['created', 'duplicate', 'test', 'ignored', 'refused', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]

const DAY_MS = 86_400_000
const PRUNE_EVERY_MS = 3_600_000
const PRUNE_AT_ONCE = 1_000

type Kept = {
  source: string
  outcome: Outcome
  status: number
  mapping?: Mapping | undefined
  reason?: string | undefined
  faults?: FieldFault[] | undefined
}

/** Keeps a delivery that made no lead, with the reason; answers its id. */
export async function keepDelivery(origin: Origin, kept: Kept): Promise<string> {
  const id = newId('delivery')
  const { contractorId, keyId, requestId, contentType, bytes, body, at, replayOf } = origin
  const delivery = {
    id,
    contractorId,
    keyId,
    requestId,
    contentType,
    bytes,
    body,
    receivedAt: at,
    replayOf: replayOf ?? null,
    ...kept,
  }
  await withinContractor((await database()).orm, contractorId, (orm) => insertDelivery(orm, delivery))
  return id
}

/** Removes deliveries older than they are kept (`LEAD_DELIVERY_DAYS`), a thousand at a time; answers how many. */
export async function pruneOldDeliveries(now: Date): Promise<number> {
  const { orm } = await database()
  const before = firstIdAt('delivery', new Date(now.getTime() - env().leadDeliveryDays * DAY_MS))
  for (let total = 0; ; ) {
    const removed = await pruneDeliveries(orm, before, PRUNE_AT_ONCE)
    total += removed
    if (removed < PRUNE_AT_ONCE) return total
  }
}

const pruning = processWide('prune-deliveries', () => ({ next: 0 }))

/** Prunes beside the requests, once an hour at most: where deliveries come in, old ones go out, without a job to set up. */
export function pruneSometimes(now: Date): void {
  if (now.getTime() < pruning().next) return
  pruning().next = now.getTime() + PRUNE_EVERY_MS
  pruneOldDeliveries(now).catch((error) => logFault('prune lead deliveries', error))
}
