import { patiently, withinContractor } from '@/db/client'
import { insertDelivery } from '@/db/queries/deliveries'
import type { FieldFault } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { tally } from '@/lib/core/tally'
import type { Origin } from './intake'
import type { Mapping } from './read'
import type { Who } from './who'

/** The outcome of a delivery. `failed` is our fault, and the sender was asked to try again. */
export const OUTCOMES = ['created', 'duplicate', 'test', 'ignored', 'refused', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]

type Kept = {
  source: string
  outcome: Outcome
  status: number
  mapping?: Mapping | undefined
  who?: Who | undefined
  reason?: string | undefined
  faults?: FieldFault[] | undefined
}

/** Stores a delivery that made no lead, with the reason; returns its id. */
export async function storeDelivery(origin: Origin, { who, ...kept }: Kept): Promise<string> {
  const id = newId('delivery', origin.at)
  tally('leads', kept.outcome)
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
    leadName: who?.name ?? null,
    leadPhone: who?.phone ?? null,
    leadEmail: who?.email ?? null,
    ...kept,
  }
  await patiently((orm) => withinContractor(orm, contractorId, (within) => insertDelivery(within, delivery)))
  return id
}
