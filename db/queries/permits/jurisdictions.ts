import type { Database } from '../../client'

/** A jurisdiction as of its last load. Dates are ISO dates, `loadedAt` is an ISO timestamp. */
export type Jurisdiction = {
  id: string
  jurisdictionName: string
  state: string
  sourceName: string | null
  sourceLink: string | null
  licence: string | null
  note: string | null
  loadedAt: string | null
  permits: number
  withApplied: number
  withIssued: number
  withBoth: number
  withCoordinates: number
  withStatus: number
  withCost: number
  withContractor: number
  firstApplied: string | null
  lastApplied: string | null
  firstIssued: string | null
  lastIssued: string | null
  permitTypes: { value: string; permits: number }[]
  workClasses: { value: string; permits: number }[]
}

const COLUMNS = `id, name as "jurisdictionName", state, source_name as "sourceName", source_link as "sourceLink", licence, note,
    to_char(loaded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "loadedAt", permits,
    with_applied as "withApplied", with_issued as "withIssued", with_both as "withBoth",
    with_coordinates as "withCoordinates", with_status as "withStatus", with_cost as "withCost",
    with_contractor as "withContractor", first_applied::text as "firstApplied", last_applied::text as "lastApplied",
    first_issued::text as "firstIssued", last_issued::text as "lastIssued", permit_types as "permitTypes",
    work_classes as "workClasses"`

const LIST = {
  name: 'plumbline_permit_jurisdictions',
  text: `select ${COLUMNS} from permit_jurisdictions where $1::text is null or id = $1 order by id limit $2::int`,
}

/** Returns the jurisdictions with loaded permits, or one of them, sorted by id. */
export function listJurisdictions(
  db: Database,
  { id, limit }: { id: string | undefined; limit: number },
): Promise<Jurisdiction[]> {
  return db.run<Jurisdiction>(LIST, [id ?? null, limit])
}

/** Returns one jurisdiction; undefined when none with that id was loaded. */
export async function findJurisdiction(db: Database, id: string): Promise<Jurisdiction | undefined> {
  const [row] = await listJurisdictions(db, { id, limit: 1 })
  return row
}
