import { withinContractor } from '@/db/client'
import { markSeen } from '@/db/queries/connector-links'
import type { Incoming, IncomingRefused } from '../connector'
import { applyParties } from './customers'
import { applyEstimates, applyInvoices } from './invoices'
import { applyPayments } from './payments'
import type { Place } from './place'
import { applyGone, removeOwnProjects } from './remove'

const isRefused = (item: Incoming): item is IncomingRefused => item.kind === 'refused'

/** Notes what is refused; what is stored of it stays, and was seen. */
async function noteRefused({ db, books, generation, tally }: Place, items: IncomingRefused[]): Promise<void> {
  for (const item of items) tally.fault(item, item.reason)
  if (items.length > 0)
    await withinContractor(db.orm, books.contractorId, (orm) =>
      markSeen(
        orm,
        books,
        generation,
        items.map(({ entity, id }) => ({ entity, id })),
      ),
    )
}

/**
 * Writes what a connector read, in the order in which records refer to each other. Doing it again changes nothing, so a run that was
 * interrupted repeats its page.
 */
export async function apply(place: Place, items: Incoming[]): Promise<void> {
  await noteRefused(place, items.filter(isRefused))
  await applyParties(place, items)
  const voided = await applyInvoices(place, items)
  await applyEstimates(place, items)
  await applyPayments(place, items)
  await applyGone(place, items)
  await removeOwnProjects(place, voided)
}
