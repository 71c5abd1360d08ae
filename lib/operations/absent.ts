import type { Database } from '@/db/client'
import { ServiceError } from '@/lib/core/errors'
import type { Resource } from '@/lib/resources/define'
import { deletedAt } from '@/lib/sync/deleted'

/** For how long a deleted record is told from one that never existed; as long as the feed is kept. */
export const DELETED_DAYS = 90

/**
 * Returns the error for a record that is not there: `gone` with its moment when it was deleted in the last 90 days, otherwise
 * `not_found`.
 * @param from where ids come from: `/invoices` or `list_invoices`
 */
export async function absent(
  db: Database,
  { name, singular }: Resource,
  { contractorId, id }: { contractorId: string; id: string },
  from: string,
): Promise<ServiceError> {
  const moment = await deletedAt(db, { contractorId, resource: name, id })
  if (moment === undefined)
    return new ServiceError('not_found', `There is no ${singular} with this id. Take ids from ${from}.`)
  return new ServiceError('gone', `This ${singular} was deleted at ${moment}. Remove it from your copy.`, {
    deletedAt: moment,
  })
}
