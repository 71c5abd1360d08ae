import type { Database } from '@/db/client'
import { type AddressPlace, placesAt, placesNearNumber } from '@/db/queries/permits/places'
import { ServiceError } from '@/lib/core/errors'
import { streetCandidates, streetParts } from '@/lib/knowledge/permits/street'
import { metersBetween } from './geo'

/** A house number farther away than this is on another block. */
const MOST_NUMBERS_AWAY = 100
/** Points of one address that are farther apart than this are two addresses with the same name. */
const MOST_APART_METERS = 1000

/** An address's location, taken from the loaded permits alone, and how it was found. */
export type Located = {
  by: 'address' | 'nearest number on the street'
  address: string
  latitude: number
  longitude: number
}

function refuse(message: string): never {
  throw new ServiceError('bad_request', `address: ${message}`, { fields: [{ field: 'address', message }] })
}

const labelOf = ({ address, city, zip, jurisdiction }: AddressPlace) =>
  `${[address, city, zip].filter((part) => part !== null).join(', ')} (${jurisdiction})`

/** Returns the one place that matches. Throws when several are far apart, because the caller must choose. */
function only(places: AddressPlace[], zip: string | null): AddressPlace | undefined {
  const inZip = places.filter((place) => place.zip?.startsWith(zip ?? '\u0000'))
  const [first, ...others] = inZip.length > 0 ? inZip : places
  if (!first) return undefined
  const apart = others.filter((other) => metersBetween(first, other) > MOST_APART_METERS)
  if (apart.length > 0) {
    const labels = [first, ...apart].slice(0, 5).map(labelOf).join('; ')
    refuse(`is in several places by the loaded permits: ${labels}; add the ZIP or name the jurisdiction`)
  }
  return first
}

/**
 * Finds an address among the loaded permits. Calls no outside geocoder.
 * @throws ServiceError `bad_request` when it has no house number, when it is ambiguous, or when no permit is at it or near it on
 * its street
 */
export async function locate(db: Database, address: string, jurisdiction: string | undefined): Promise<Located> {
  const { number, street, zip } = streetParts(address)
  if (number === null || street === null)
    refuse('must begin with a house number and a street such as 12 Main St; for a whole street use street')
  const streets = address.includes(',') ? [street] : streetCandidates(street)
  const exact = await placesAt(db, { streets, number, jurisdiction })
  const longest = exact.filter((place) => place.street === exact[0]?.street)
  const found = only(longest, zip)
  if (found) return { by: 'address', address: labelOf(found), latitude: found.latitude, longitude: found.longitude }
  for (const candidate of streets) {
    const near = only(await placesNearNumber(db, { street: candidate, number, jurisdiction }), zip)
    if (near && Math.abs(near.number - number) <= MOST_NUMBERS_AWAY) {
      const { latitude, longitude } = near
      return { by: 'nearest number on the street', address: labelOf(near), latitude, longitude }
    }
  }
  return refuse(
    'is not among the loaded permits, nor a number near it on its street, so its place is not known here; give latitude and longitude, or search by street',
  )
}
