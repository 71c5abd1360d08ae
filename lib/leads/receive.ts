import { patiently } from '@/db/client'
import { findSourceSecret } from '@/db/queries/leads'
import { ServiceError } from '@/lib/core/errors'
import { tally } from '@/lib/core/tally'
import { type Outcome, storeDelivery } from './deliveries'
import { type Origin, storeLead } from './intake'
import { INBOUND, type Mapping, type Reading } from './read'
import { isSecret } from './secrets'
import { findSource } from './sources/registry'
import { type Who, whoOf } from './who'

/** A successful answer to a sender (specification 2.7), with what adapters add to it. */
export type Receipt =
  | { success: true; projectId: string; jobNumber: number; message: string }
  | { success: true; projectId: string; duplicate: true; message: string }
  | { success: true; test: true; message: string }
  | { success: true; ignored: true; message: string }

/** The message of the answer, by the outcome of the delivery. */
export const MESSAGES = {
  created: 'Lead received; a project was created.',
  duplicate: 'This lead was already received; nothing was created.',
  test: 'Test lead received and valid; nothing was created.',
  ignored: 'Received. This is not a new lead; nothing was created.',
}

/** The outcome of a delivery, from the answer its sender got. */
export function outcomeOf(receipt: Receipt): Exclude<Outcome, 'refused' | 'failed'> {
  if ('jobNumber' in receipt) return 'created'
  if ('duplicate' in receipt) return 'duplicate'
  return 'test' in receipt ? 'test' : 'ignored'
}

/** A refused lead with its reading, so that both can be stored. */
export class LeadRefused extends ServiceError {
  constructor(
    faults: { field: string; message: string }[],
    readonly mapping: Mapping,
    readonly who: Who,
  ) {
    super('bad_request', faults.map(({ field, message }) => `${field}: ${message}`).join('; '), { fields: faults })
  }
}

/** Checks a sender's own secret, such as Google's `google_key`, against the one set for this contractor, if any. */
async function checkSecret(contractorId: string, { source, secret, mapping, values }: Reading): Promise<void> {
  if (findSource(source)?.secret === undefined) return
  const wanted = await patiently((orm) => findSourceSecret(orm, contractorId, source))
  if (!wanted || isSecret(secret, wanted.secretHash)) return
  throw new LeadRefused(
    [{ field: 'google_key', message: 'is not the one set for this source; set it again on both sides' }],
    mapping,
    whoOf(values),
  )
}

/**
 * Takes a delivery as it was read: a lead becomes a project or is a duplicate, a test is acknowledged.
 * @throws LeadRefused when it cannot be used; the caller stores it
 */
export async function receive(origin: Origin, reading: Reading, createdStatus = 201): Promise<Receipt> {
  // A replay is started by the contractor's own people, and the secret is not stored.
  if (origin.replayOf === undefined && reading.source !== INBOUND) await checkSecret(origin.contractorId, reading)
  if (reading.kind === 'refused' && reading.announces !== undefined && origin.replayOf === undefined) {
    const { source, mapping, faults, announces: reason } = reading
    // The sender did all it can, and would send a refused announcement for days: it is accepted, and kept among the refused.
    const who = whoOf(reading.values)
    await storeDelivery(origin, { source, mapping, who, faults, reason, outcome: 'refused', status: 200 })
    return { success: true, ignored: true, message: `Kept, but not a project yet. ${reason}` }
  }
  if (reading.kind === 'refused') throw new LeadRefused(reading.faults, reading.mapping, whoOf(reading.values))
  if (reading.kind !== 'lead') {
    const { kind, source, mapping } = reading
    await storeDelivery(origin, { source, mapping, who: whoOf(reading.values), outcome: kind, status: 200 })
    return kind === 'test'
      ? { success: true, test: true, message: MESSAGES.test }
      : { success: true, ignored: true, message: MESSAGES.ignored }
  }
  const { created, projectId, jobNumber } = await storeLead(origin, reading, createdStatus)
  tally('leads', created ? 'created' : 'duplicate')
  return created
    ? { success: true, projectId, jobNumber, message: MESSAGES.created }
    : { success: true, projectId, duplicate: true, message: MESSAGES.duplicate }
}
