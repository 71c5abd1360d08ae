import * as z from 'zod'
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
