import type { Database } from '../../client'

/** The location of an address: the mean position of its permits with this city and ZIP. */
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

/** Returns SQL of two short index scans along the street: one toward higher numbers, one toward lower. */
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

/** Returns the locations of permits at a house number on any of these streets, longest street name first. */
export function placesAt(
  db: Database,
  { streets, number, jurisdiction }: { streets: string[]; number: number; jurisdiction: string | undefined },
): Promise<AddressPlace[]> {
  return db.run<AddressPlace>(EXACT, [JSON.stringify(streets), number, jurisdiction ?? null])
}

/** Returns the locations of permits with the nearest house number on a street. */
export function placesNearNumber(
  db: Database,
  { street, number, jurisdiction }: { street: string; number: number; jurisdiction: string | undefined },
): Promise<AddressPlace[]> {
  return db.run<AddressPlace>(NEAREST, [street, number, jurisdiction ?? null])
}
