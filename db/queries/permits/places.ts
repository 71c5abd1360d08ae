import type { Database } from '../../client'

/** Where loaded permits of an address are: the middle of those with this city and ZIP. */
export type AddressPlace = {
  jurisdiction: string
  street: string
  number: number
  address: string
  city: string | null
  zip: string | null
  latitude: number
  longitude: number
}

const PLACED = `latitude is not null and longitude is not null and ($3::text is null or jurisdiction_id = $3)`
const GROUPED = `jurisdiction_id as jurisdiction, street_key as street, house_number as number,
    min(original_address1) as address, original_city as city, original_zip as zip, avg(latitude) as latitude, avg(longitude) as longitude`

const EXACT = {
  name: 'plumbline_permit_address',
  text: `select ${GROUPED} from permits
    where street_key in (select jsonb_array_elements_text($1::jsonb)) and house_number = $2::int and ${PLACED}
    group by 1, 2, 3, 5, 6 order by length(street_key) desc, 1, 5, 6 limit 50`,
}

/** Two short walks along the index, one up and one down the street. */
const NEIGHBOUR = (
  comparison: string,
  order: string,
) => `(select house_number as nearest, street_key as on_street from permits
    where street_key = $1::text and house_number ${comparison} $2::int and ${PLACED} order by house_number ${order} limit 1)`

const NEAREST = {
  name: 'plumbline_permit_neighbour',
  text: `select ${GROUPED} from permits join (
      select nearest, on_street from (${NEIGHBOUR('>', 'asc')} union all ${NEIGHBOUR('<', 'desc')}) both_ways
      order by abs(nearest - $2::int), nearest limit 1) n on street_key = n.on_street and house_number = n.nearest
    where ${PLACED} group by 1, 2, 3, 5, 6 order by 1, 5, 6 limit 50`,
}

/** The places of loaded permits at a house number of any of these streets, the longest name first. */
export function placesAt(
  db: Database,
  { streets, number, jurisdiction }: { streets: string[]; number: number; jurisdiction: string | undefined },
): Promise<AddressPlace[]> {
  return db.run<AddressPlace>(EXACT, [JSON.stringify(streets), number, jurisdiction ?? null])
}

/** The places of the loaded permits whose number on a street is nearest to another. */
export function placesNearNumber(
  db: Database,
  { street, number, jurisdiction }: { street: string; number: number; jurisdiction: string | undefined },
): Promise<AddressPlace[]> {
  return db.run<AddressPlace>(NEAREST, [street, number, jurisdiction ?? null])
}
