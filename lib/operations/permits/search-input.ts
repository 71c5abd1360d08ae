import * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'
import { METERS_PER_MILE } from '@/lib/knowledge/permits/geo'
import { DayInput } from '../reports/fields'
import { JurisdictionInput, KIND_INPUT } from './fields'

const LIMIT = { error: 'must be a whole number from 1 to 25' }
const MOST_MILES = 25

/** The input of search_permits. */
export const SearchInput = z
  .object({
    jurisdiction: JurisdictionInput.optional().describe('Only this one; all loaded when left out'),
    address: z
      .string()
      .trim()
      .min(3)
      .max(300)
      .optional()
      .describe('Near this address, such as 12 Main St, Nashville, TN 37203; found among the loaded permits only'),
    latitude: z.number().min(-80).max(80).optional().describe('Near this point, degrees; with longitude'),
    longitude: z.number().min(-180).max(180).optional().describe('Degrees, negative in the west'),
    radius: z
      .number()
      .positive()
      .optional()
      .describe('Around the address or point, in unit; half a mile when left out'),
    unit: z.enum(['mi', 'm']).default('mi').describe('Of radius and distances: miles or meters'),
    street: z.string().trim().min(2).max(200).optional().describe('On this street, such as 18th Ave S'),
    ...KIND_INPUT,
    from: DayInput.optional().describe('Applied for on or after this day (issued, where only that is known)'),
    to: DayInput.optional().describe('Applied for on or before this day'),
    contractor: z
      .string()
      .trim()
      .min(2)
      .max(200)
      .optional()
      .describe('Name or its beginning, typing errors allowed; LLC, Inc and case do not count'),
    text: z
      .string()
      .trim()
      .min(2)
      .max(200)
      .optional()
      .describe('Words of the description, such as pool or "retaining wall"; -word leaves out'),
    limit: z.int(LIMIT).min(1, LIMIT).max(25, LIMIT).default(10).describe('Permits in the answer'),
    pageToken: z.string().min(1).max(2000).optional().describe('nextPageToken of the page before, unchanged'),
  })
  .strict()

export type PermitSearch = z.output<typeof SearchInput>

function refuse(field: string, message: string): never {
  throw new ServiceError('bad_request', `${field}: ${message}`, { fields: [{ field, message }] })
}

/**
 * Returns the radius in meters, undefined when no place is given.
 * @throws ServiceError `bad_request` when the place is incomplete or given twice, or the radius is too long or has no place
 */
export function radiusMeters({ address, latitude, longitude, radius, unit }: PermitSearch): number | undefined {
  if ((latitude === undefined) !== (longitude === undefined)) refuse('longitude', 'goes with latitude; give both')
  if (address !== undefined && latitude !== undefined) refuse('address', 'give an address or a point, not both')
  if (address === undefined && latitude === undefined) {
    if (radius !== undefined) refuse('radius', 'needs an address, or latitude and longitude')
    return undefined
  }
  const meters = radius === undefined ? METERS_PER_MILE / 2 : unit === 'mi' ? radius * METERS_PER_MILE : radius
  if (meters > MOST_MILES * METERS_PER_MILE) refuse('radius', `must be at most ${MOST_MILES} miles`)
  return meters
}
