import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../../client'

/** The content of a mapping file about a jurisdiction. */
export type JurisdictionLabels = {
  name: string
  state: string
  source?: string | undefined
  link?: string | undefined
  licence?: string | undefined
  note?: string | undefined
}

/** Creates a jurisdiction, or updates the source of its permits. Without labels an existing one stays unchanged. */
export async function provideJurisdiction(
  orm: Orm,
  id: string,
  labels: JurisdictionLabels | undefined,
  fallback: { name: string; state: string },
): Promise<void> {
  const { name, state, source = null, link = null, licence = null, note = null } = labels ?? { ...fallback }
  const update = labels
    ? sql`do update set name = excluded.name, state = excluded.state, source_name = excluded.source_name,
        source_link = excluded.source_link, licence = excluded.licence, note = excluded.note`
    : sql`do nothing`
  await orm.execute(sql`insert into permit_jurisdictions (id, name, state, source_name, source_link, licence, note)
    values (${id}, ${name}, ${state}, ${source}, ${link}, ${licence}, ${note}) on conflict (id) ${update}`)
}

/** Stores contractors' names. An existing one keeps its first spelling. */
export async function addContractorNames(
  orm: Orm,
  jurisdictionId: string,
  names: { key: string; name: string }[],
): Promise<void> {
  if (names.length === 0) return
  await orm.execute(sql`insert into permit_contractors (jurisdiction_id, contractor_key, company_name)
    select ${jurisdictionId}, r.key, r.name from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as r(key text, name text)
    order by r.key on conflict do nothing`)
}

const most = (column: string) =>
  sql.raw(`(select coalesce(jsonb_agg(jsonb_build_object('value', v.value, 'permits', v.permits)
    order by v.permits desc, v.value), '[]') from (
      select ${column} as value, count(*)::int as permits from permits where jurisdiction_id = j.id and ${column} is not null
      group by 1 order by 2 desc, 1 limit 40) v)`)

/** Recounts a jurisdiction's permits for its coverage, and stores the time of the load. Reads all of its permits. */
export async function countJurisdiction(orm: Orm, id: string): Promise<void> {
  await orm.execute(sql`update permit_jurisdictions j set loaded_at = date_trunc('milliseconds', clock_timestamp()),
      permits = c.permits, with_applied = c.applied, with_issued = c.issued, with_both = c.both,
      with_coordinates = c.placed, with_status = c.status, with_cost = c.cost, with_contractor = c.contractor,
      first_applied = c.first_applied, last_applied = c.last_applied, first_issued = c.first_issued,
      last_issued = c.last_issued, permit_types = ${most('coalesce(permit_type_desc, permit_type, permit_type_mapped)')},
      work_classes = ${most('coalesce(work_class, work_class_mapped)')}
    from (select count(*)::int as permits, count(applied_date)::int as applied, count(issued_date)::int as issued,
        count(issued_date - applied_date)::int as both, count(place)::int as placed,
        count(coalesce(status_current, status_current_mapped))::int as status, count(nullif(est_project_cost, 0))::int as cost,
        count(contractor_key)::int as contractor, min(applied_date) as first_applied, max(applied_date) as last_applied,
        min(issued_date) as first_issued, max(issued_date) as last_issued
      from permits where jurisdiction_id = ${id}) c
    where j.id = ${id}`)
}

/** Updates the statistics of the permit tables; see `refreshStatistics`. */
export async function refreshPermitStatistics(orm: Orm): Promise<void> {
  await orm.execute(sql`analyze permits, permit_jurisdictions, permit_contractors`)
}

/** A jurisdiction after its last load, for the load's report. */
export type LoadedJurisdiction = {
  permits: number
  firstApplied: string | null
  lastApplied: string | null
  withIssued: number
  withCoordinates: number
}

/** @returns undefined when the jurisdiction was never loaded */
export async function loadedJurisdiction(orm: Orm, id: string): Promise<LoadedJurisdiction | undefined> {
  const [row] = await rows<LoadedJurisdiction>(
    orm,
    sql`select permits, first_applied::text as "firstApplied", last_applied::text as "lastApplied",
        with_issued as "withIssued", with_coordinates as "withCoordinates" from permit_jurisdictions where id = ${id}`,
  )
  return row
}
