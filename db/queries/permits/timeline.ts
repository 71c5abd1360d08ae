import type { Database } from '../../client'

/** The filter for a jurisdiction's permits, by application date. Null matches everything. Money is decimal text. */
export type TimelineFilter = {
  jurisdiction: string
  from: string | null
  to: string
  /** Any of these types. */
  permitTypes: string[] | null
  permitClass: string | null
  workClass: string | null
  /** Words of the description, type, class and work, as people type them into a search. */
  text: string | null
  leastCost: string | null
  mostCost: string | null
}

/**
 * Durations are whole days: from application to issue, or for open applications to the end of the data. `n` counts the issued ones.
 * `waits` are days, how many were issued after so many, and how many were open; null when there are none.
 */
export type TimelineRow = {
  n: number
  negative: number
  tooLong: number
  open: number
  cancelled: number
  undated: number
  waits: [days: number, issued: number, open: number][] | null
}

/** The SQL for permits that will never be decided, so they are not counted as open. */
const ENDED = `(lower(status_current_mapped) = 'permit cancelled' or lower(status_current) ~ '(cancel|void|withdrawn|denied|expired)')`
/** The SQL for permits decided on a day that the data do not name, so they are neither issued after some days nor still waiting. */
const DECIDED = `(completed_date is not null or lower(status_current_mapped) in ('permit issued', 'permit finaled'))`

const TEXT = `with asked as (
    select issued_date - applied_date as days, issued_date is null as unissued, coalesce(${ENDED}, false) as ended,
      coalesce(${DECIDED}, false) as decided, $10::date - applied_date as waited
    from permits
    where jurisdiction_id = $1 and dated_on >= coalesce($2::date, '-infinity') and dated_on <= $3::date
      and applied_date is not null
      and ($4::jsonb is null or types && array(select lower(t) from jsonb_array_elements_text($4::jsonb) t))
      and ($5::text is null or classes @> array[lower($5::text)])
      and ($6::text is null or works @> array[lower($6::text)])
      and ($7::numeric is null or est_project_cost >= $7::numeric)
      and ($8::numeric is null or (est_project_cost <= $8::numeric and est_project_cost > 0))
      and ($11::text is null or words @@ websearch_to_tsquery('english', $11::text))),
  read as (
    select *, not unissued and days between 0 and $9::int as issued,
      unissued and not ended and not decided and waited between 0 and $9::int as open from asked),
  waits as (
    select case when issued then days else waited end as days, count(*) filter (where issued)::int as issued,
      count(*) filter (where open)::int as open
    from read where issued or open group by 1)
  select count(*) filter (where issued)::int as n,
    count(*) filter (where days < 0)::int as negative,
    count(*) filter (where days > $9::int)::int as "tooLong",
    count(*) filter (where open)::int as open,
    count(*) filter (where unissued and ended)::int as cancelled,
    count(*) filter (where unissued and not ended and (decided or waited > $9::int))::int as undated,
    (select json_agg(json_build_array(days, issued, open) order by days) from waits) as waits
  from read`

const STATEMENT = { name: 'plumbline_permit_timeline', text: TEXT }

/**
 * Counts permits by the days they waited: at most one line for each day, however many permits there are.
 * @param until the day up to which open applications are known to have waited
 */
export async function permitTimeline(
  db: Database,
  filter: TimelineFilter,
  mostDays: number,
  until: string,
): Promise<TimelineRow> {
  const { jurisdiction, from, to, permitTypes, permitClass, workClass, text, leastCost, mostCost } = filter
  const types = permitTypes && JSON.stringify(permitTypes)
  const asked = [jurisdiction, from, to, types, permitClass, workClass, leastCost, mostCost, mostDays, until, text]
  const [row] = await db.run<TimelineRow>(STATEMENT, asked)
  if (!row) throw new Error('an aggregate without grouping answers one row')
  return row
}
