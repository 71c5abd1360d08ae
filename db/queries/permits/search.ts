import type { Database, Value } from '../../client'
import { statementOf } from '../list'

/** A permit in a result. Days are ISO days, money is decimal text, `place` is relative to the search point on the index's plane. */
export type FoundPermit = {
  id: string
  jurisdiction: string
  permitNum: string
  description: string | null
  permitType: string | null
  permitClass: string | null
  workClass: string | null
  appliedDate: string | null
  issuedDate: string | null
  completedDate: string | null
  status: string | null
  address: string | null
  city: string | null
  zip: string | null
  estProjectCost: string | null
  contractor: string | null
  latitude: number | null
  longitude: number | null
  link: string | null
  datedOn: string
  away: number | null
}

/** A search within a box and a distance in meters from a point, nearest first. */
type Near = {
  latitude: number
  longitude: number
  meters: number
  box: { south: number; north: number; west: number; east: number }
}

export type PermitQuery = {
  jurisdiction?: string | undefined
  /** Any of these types. */
  permitTypes?: string[] | undefined
  permitClass?: string | undefined
  workClass?: string | undefined
  /** ISO days, both included. They apply to the application date, or to the issue date when that is unknown. */
  from?: string | undefined
  to?: string | undefined
  text?: string | undefined
  /** Normalized keys of contractors' names. */
  contractors?: string[] | undefined
  street?: string | undefined
  near?: Near | undefined
  /** The last permit of the previous page: its day or distance (`away`), and its id. */
  after?: { at: string; id: string } | undefined
  limit: number
}

/** Projects a point in degrees onto the plane of the column `place`; see `db/schema/permits.ts`. */
const plane = (longitude: string, latitude: string) =>
  `point(radians(${longitude}), ln(tan(pi() / 4 + radians(${latitude}) / 2)))`

const METERS = (latitude: string, longitude: string) => `2 * 6371008.8 * asin(least(1, sqrt(
    sin(radians(latitude - ${latitude}) / 2) ^ 2 +
    cos(radians(${latitude})) * cos(radians(latitude)) * sin(radians(longitude - ${longitude}) / 2) ^ 2)))`

/** Collects conditions and their values, each as a numbered parameter. */
class Conditions {
  readonly values: Value[] = []
  readonly parts: string[] = []

  value(value: Value, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }

  add(value: Value | undefined, type: string, condition: (parameter: string) => string): void {
    if (value !== undefined) this.parts.push(condition(this.value(value, type)))
  }
}

function addFilters(where: Conditions, query: PermitQuery): void {
  const has = (column: string) => (value: string) => `${column} @> array[lower(${value})]`
  where.add(query.jurisdiction, 'text', (id) => `jurisdiction_id = ${id}`)
  const types = query.permitTypes && JSON.stringify(query.permitTypes)
  where.add(types, 'jsonb', (json) => `types && array(select lower(t) from jsonb_array_elements_text(${json}) t)`)
  where.add(query.permitClass, 'text', has('classes'))
  where.add(query.workClass, 'text', has('works'))
  where.add(query.from, 'date', (day) => `dated_on >= ${day}`)
  where.add(query.to, 'date', (day) => `dated_on <= ${day}`)
  where.add(query.text, 'text', (words) => `words @@ websearch_to_tsquery('english', ${words})`)
  where.add(query.street, 'text', (street) => `street_key = ${street}`)
  const keys = query.contractors && JSON.stringify(query.contractors)
  where.add(keys, 'jsonb', (json) => `contractor_key in (select jsonb_array_elements_text(${json}))`)
}

/** Returns the sort order, and adds the condition that starts after the previous page. */
function ordered(where: Conditions, { near, after }: PermitQuery): { order: string; away: string } {
  if (!near) {
    if (after) where.parts.push(`(dated_on, id) < (${where.value(after.at, 'date')}, ${where.value(after.id, 'text')})`)
    return { order: 'dated_on desc, id desc', away: 'null::float8' }
  }
  const { latitude, longitude, meters, box } = near
  const at = { latitude: where.value(latitude, 'float8'), longitude: where.value(longitude, 'float8') }
  const corner = (lon: number, lat: number) => plane(where.value(lon, 'float8'), where.value(lat, 'float8'))
  where.parts.push(`place <@ box(${corner(box.west, box.south)}, ${corner(box.east, box.north)})`)
  where.parts.push(`${METERS(at.latitude, at.longitude)} <= ${where.value(meters, 'float8')}`)
  const away = `place <-> ${plane(at.longitude, at.latitude)}`
  if (after) where.parts.push(`(${away}, id) > (${where.value(after.at, 'float8')}, ${where.value(after.id, 'text')})`)
  return { order: away, away }
}

const COLUMNS = `id, jurisdiction_id as jurisdiction, permit_num as "permitNum", description,
    coalesce(permit_type_desc, permit_type, permit_type_mapped) as "permitType",
    coalesce(permit_class, permit_class_mapped) as "permitClass", coalesce(work_class, work_class_mapped) as "workClass",
    applied_date::text as "appliedDate", issued_date::text as "issuedDate", completed_date::text as "completedDate",
    coalesce(status_current, status_current_mapped) as status, original_address1 as address, original_city as city,
    original_zip as zip, est_project_cost::text as "estProjectCost", contractor_company_name as contractor,
    latitude, longitude, link, dated_on::text as "datedOn"`

/** Returns at most `limit` permits: nearest first when the query has a point, otherwise newest first. */
export function findPermits(db: Database, query: PermitQuery): Promise<FoundPermit[]> {
  const where = new Conditions()
  addFilters(where, query)
  const { order, away } = ordered(where, query)
  const only = where.parts.length > 0 ? `where ${where.parts.join(' and ')}` : ''
  const limit = where.value(query.limit, 'int')
  // The index sorts by distance but not by id among equally distant permits, so the query reads all that tie and sorts them
  // afterward.
  const text = query.near
    ? `select * from (select ${COLUMNS}, ${away} as away from permits ${only} order by ${order}
        fetch first (${limit}) rows with ties) p order by away, id limit ${limit}`
    : `select ${COLUMNS}, ${away} as away from permits ${only} order by ${order} limit ${limit}`
  // The text depends only on the filters that are present, never on their values.
  return db.run<FoundPermit>(
    statementOf(`permits | ${text}`, () => text),
    where.values,
  )
}

const HAS_TYPE = {
  name: 'plumbline_permit_has_type',
  text: `select exists (select 1 from permits where types @> array[lower($1::text)] and ($2::text is null or jurisdiction_id = $2::text)) as found`,
}

/** Reports whether any permit, of one jurisdiction or of all, is of a type, by the office's term or the BLDS one. */
export async function hasPermitType(db: Database, jurisdiction: string | undefined, type: string): Promise<boolean> {
  const [row] = await db.run<{ found: boolean }>(HAS_TYPE, [type, jurisdiction ?? null])
  return row?.found === true
}
