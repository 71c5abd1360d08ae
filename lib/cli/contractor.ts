import type { Database } from '@/db/client'
import { type Contractor, findContractor } from '@/db/queries/contractors'
import { ServiceError } from '@/lib/core/errors'

/** @throws ServiceError `not_found` when there is no contractor with this id or slug */
export async function requireContractor(db: Database, idOrSlug: string): Promise<Contractor> {
  const contractor = await findContractor(db.orm, idOrSlug)
  if (contractor) return contractor
  throw new ServiceError(
    'not_found',
    `There is no contractor ${idOrSlug}. \`contractors list\` shows those there are, \`contractors create\` makes one.`,
  )
}
