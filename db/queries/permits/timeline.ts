import type { Database } from '../../client'

/** Which of a jurisdiction's permits count, by application date. Null matches everything. Money is decimal text. */
export type TimelineFilter = {
  jurisdiction: string
  from: string | null
  to: string
  permitType: string | null
  permitClass: string | null
  workClass: string | null
  leastCost: string | null
  mostCost: string | null
}

/** Durations are whole days from application to issue. `days` holds the requested percentiles, null when no permit counts. */
export type TimelineRow = {
  n: number
  negative: number
  tooLong: number
  open: number
  cancelled: number
  days: number[] | null
}

/** These permits will never be decided, so they are not counted as open. */
const ENDED = `(lower(status_current_mapped) = 'permit cancelled' or lower(status_current) ~ '(cancel|void|withdrawn|denied|expired)')`

const TEXT = `with asked as (
    select issued_date - applied_date as days, issued_date is null as unissued, coalesce(${ENDED}, false) as ended
    from permits
    where jurisdiction_id = $1 and dated_on >= coalesce($2::date, '-infinity') and dated_on <= $3::date
      and applied_date is not null
      and ($4::text is null or types @> array[lower($4::text)])
      and ($5::text is null or classes @> array[lower($5::text)])
      and ($6::text is null or works @> array[lower($6::text)])
      and ($7::numeric is null or est_project_cost >= $7::numeric)
      and ($8::numeric is null or (est_project_cost <= $8::numeric and est_project_cost > 0)))
  select count(*) filter (where days between 0 and $9::int)::int as n,
    count(*) filter (where days < 0)::int as negative,
    count(*) filter (where days > $9::int)::int as "tooLong",
    count(*) filter (where unissued and not ended)::int as open,
    count(*) filter (where unissued and ended)::int as cancelled,
    to_json(percentile_cont($10::float8[]) within group (order by days) filter (where days between 0 and $9::int)) as days
  from asked`

const STATEMENT = { name: 'plumbline_permit_timeline', text: TEXT }

/**
 * Counts permits and computes percentiles of the days from application to issue. The percentiles are `percentile_cont`, which
 * interpolates between two ranks.
 * @param percentiles fractions such as 0.5
 */
export async function permitTimeline(
  db: Database,
  filter: TimelineFilter,
  mostDays: number,
  percentiles: number[],
): Promise<TimelineRow> {
  const { jurisdiction, from, to, permitType, permitClass, workClass, leastCost, mostCost } = filter
  const asked = [jurisdiction, from, to, permitType, permitClass, workClass, leastCost, mostCost]
  const [row] = await db.run<TimelineRow>(STATEMENT, [...asked, mostDays, `{${percentiles.join(',')}}`])
  if (!row) throw new Error('an aggregate without grouping answers one row')
  return row
}
