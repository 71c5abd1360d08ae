import type * as z from 'zod'
import type { Database } from '@/db/client'
import { type Jurisdiction, listJurisdictions } from '@/db/queries/permits/jurisdictions'
import { ServiceError } from '@/lib/core/errors'
import type { CoverageLine } from './fields'

/** The most jurisdictions that are read; one server serves a region, not a continent. */
const MOST_JURISDICTIONS = 1000

/** A short summary of what is loaded for a jurisdiction. */
export const coverageLine = (each: Jurisdiction): z.output<typeof CoverageLine> => ({
  jurisdiction: each.id,
  jurisdictionName: each.jurisdictionName,
  permits: each.permits,
  firstApplied: each.firstApplied,
  lastApplied: each.lastApplied,
  withIssued: each.withIssued,
  loadedAt: each.loadedAt,
})

/**
 * Returns the jurisdictions with loaded permits, or the requested one.
 * @throws ServiceError `not_found` when that one is not loaded; the message lists those that are
 */
export async function loadedJurisdictions(db: Database, id: string | undefined): Promise<Jurisdiction[]> {
  const found = await listJurisdictions(db, { id, limit: MOST_JURISDICTIONS })
  if (id === undefined || found.length > 0) return found
  const all = await listJurisdictions(db, { id: undefined, limit: 20 })
  const known = all.length === 0 ? 'None is.' : `Loaded are: ${all.map((each) => each.id).join(', ')}.`
  throw new ServiceError('not_found', `No permits of ${id} are loaded, so nothing can be said of them. ${known}`)
}
