import type { Database } from '@/db/client'
import { getItem } from '@/db/queries/list'
import { ServiceError } from '@/lib/core/errors'
import { identifierOf, withArticle } from '@/lib/core/resource-names'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES } from '@/lib/resources/registry'
import { deletedAt } from '@/lib/sync/deleted'

/** The days for which a deleted record is told from one that never existed; as long as the feed is kept. */
export const DELETED_DAYS = 90

/** Returns the kind of record that an id is of, by its prefix, where that is not the kind that is wanted. */
const otherKind = ({ idPrefix }: Resource, id: string): Resource | undefined =>
  RESOURCES.find((other) => other.idPrefix !== idPrefix && id.startsWith(`${other.idPrefix}_`))

/**
 * Returns the error for an id that is nobody's, which says the kind it is of where that is another one than is wanted.
 * @param from where ids come from: `/invoices` or `list_invoices`
 */
export function notThere(resource: Resource, id: string, from: string): ServiceError {
  const { singular } = resource
  const other = otherKind(resource, id)
  const said = other
    ? `${id} is the id of ${withArticle(other.singular)}, not of ${withArticle(singular)}.`
    : `There is no ${singular} with this id.`
  return new ServiceError('not_found', `${said} Take ids from ${from}.`)
}

/**
 * Returns the error for a record that is not there: `gone` with its moment when it was deleted in the last 90 days, otherwise
 * {@link notThere}.
 */
export async function absent(
  db: Database,
  resource: Resource,
  { contractorId, id }: { contractorId: string; id: string },
  from: string,
): Promise<ServiceError> {
  const { name, singular } = resource
  const moment = otherKind(resource, id) ? undefined : await deletedAt(db, { contractorId, resource: name, id })
  if (moment === undefined) return notThere(resource, id, from)
  return new ServiceError('gone', `This ${singular} was deleted at ${moment}. Remove it from your copy.`, {
    deletedAt: moment,
  })
}

/** Checks that a record is there. @throws ServiceError as {@link absent} tells it, with ids from the tool that lists its kind */
export async function requirePresent(
  db: Database,
  resource: Resource,
  key: { contractorId: string; id: string },
): Promise<void> {
  if ((await getItem(db, resource.source, key)) === undefined)
    throw await absent(db, resource, key, `list_${identifierOf(resource.name)}`)
}
