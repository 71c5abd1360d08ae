import * as z from 'zod'
import type { Database } from '@/db/client'
import { type Jurisdiction, listJurisdictions } from '@/db/queries/permits/jurisdictions'
import { ServiceError } from '@/lib/core/errors'
import { Count, Day } from '../reports/fields'

export const JurisdictionInput = z
  .string()
  .regex(
    /^[a-z]{2}-[a-z]{2}(?:-[a-z0-9]+)+$/,
    'must be an id such as us-tn-nashville; get_permit_coverage lists those loaded',
  )
  .max(60)

const Words = z.string().trim().min(1).max(300)

/** Selects permits by the terms that offices use. */
export const KIND_INPUT = {
  permitType: Words.optional().describe(
    'Permit type (Building, Demolition, Electrical, Fence, Grading, Mechanical, Plumbing, Pool/Spa, Roof) or as the office writes it, or a part of that, such as deck',
  ),
  permitClass: Words.optional().describe('Residential, Non-Residential, or as the office writes it'),
  workClass: Words.optional().describe('New, Existing, or as the office writes it, such as Addition'),
}

/** A short summary of what is loaded for a jurisdiction. */
export const CoverageLine = z.object({
  jurisdiction: z.string(),
  jurisdictionName: z.string(),
  permits: Count,
  firstApplied: Day.nullable(),
  lastApplied: Day.nullable(),
  withIssued: Count.describe('How many have an issue date'),
  loadedAt: z.iso.datetime({ precision: 3 }).nullable(),
})

export const AMOUNT = z.number().nullable()

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
