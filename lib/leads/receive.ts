import { timingSafeEqual } from 'node:crypto'
import { patiently } from '@/db/client'
import { findSourceSecret } from '@/db/queries/leads'
import { hashKey } from '@/lib/auth/keys'
import { ServiceError } from '@/lib/core/errors'
import { tally } from '@/lib/core/tally'
import { keepDelivery, type Outcome } from './deliveries'
import { type Origin, takeLead } from './intake'
import { INBOUND, type Mapping, type Reading } from './read'

/** What a sender is told when all is well (specification 2.7), and what adapters add to it. */
export type Receipt =
  | { success: true; projectId: string; jobNumber: number; message: string }
  | { success: true; projectId: string; duplicate: true; message: string }
  | { success: true; test: true; message: string }
  | { success: true; ignored: true; message: string }

/** What senders read, by what became of their delivery. */
export const MESSAGES = {
  created: 'Lead received; a project was created.',
  duplicate: 'This lead was received before; nothing was created.',
  test: 'Test lead received and read without fault; nothing was created.',
  ignored: 'Received. This is not a new lead; nothing was created.',
}

/** What became of a delivery, from what its sender was told. */
export function outcomeOf(receipt: Receipt): Exclude<Outcome, 'refused' | 'failed'> {
  if ('jobNumber' in receipt) return 'created'
  if ('duplicate' in receipt) return 'duplicate'
  return 'test' in receipt ? 'test' : 'ignored'
}

/** A refused lead, with how it was read, so that both can be kept. */
export class LeadRefused extends ServiceError {
  constructor(
    faults: { field: string; message: string }[],
    readonly mapping: Mapping,
  ) {
    super('bad_request', faults.map(({ field, message }) => `${field}: ${message}`).join('; '), { fields: faults })
  }
}

/** A sender's own proof, such as Google's `google_key`, must be the one set for this contractor, when one is. */
async function checkSecret(contractorId: string, { source, secret, mapping }: Reading): Promise<void> {
  const wanted = await patiently((orm) => findSourceSecret(orm, contractorId, source))
  if (wanted === undefined) return
  if (secret !== undefined && timingSafeEqual(Buffer.from(hashKey(secret)), Buffer.from(wanted))) return
  throw new LeadRefused(
    [{ field: 'google_key', message: 'is not the one set for this source; set it anew on both sides' }],
    mapping,
  )
}

/**
 * Takes one delivery as it was read: a lead becomes a project or is known already, a test is acknowledged.
 * @throws LeadRefused when it cannot be used; the caller keeps it
 */
export async function receive(origin: Origin, reading: Reading, createdStatus = 201): Promise<Receipt> {
  // A replay comes from the contractor's own people, and the secret is not kept.
  if (origin.replayOf === undefined && reading.source !== INBOUND) await checkSecret(origin.contractorId, reading)
  if (reading.kind === 'refused') throw new LeadRefused(reading.faults, reading.mapping)
  if (reading.kind !== 'lead') {
    const { kind, source, mapping } = reading
    await keepDelivery(origin, { source, mapping, outcome: kind, status: 200 })
    return kind === 'test'
      ? { success: true, test: true, message: MESSAGES.test }
      : { success: true, ignored: true, message: MESSAGES.ignored }
  }
  const { created, projectId, jobNumber } = await takeLead(origin, reading, createdStatus)
  tally('leads', created ? 'created' : 'duplicate')
  return created
    ? { success: true, projectId, jobNumber, message: MESSAGES.created }
    : { success: true, projectId, duplicate: true, message: MESSAGES.duplicate }
}
