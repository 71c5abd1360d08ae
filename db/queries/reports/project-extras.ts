import type { Database } from '../../client'

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/**
 * The newest price of each listed material, by the price book in the contractor's own currency. A list without a unit takes the
 * book's unit. Read item by item through the index of the price book.
 */
const TEXT = `with project as (
    select p.*, c.currency from projects p join contractors c on c.id = $1 where p.id = $2 and p.contractor_id || '' = $1),
  priced as (
    select m.quantity * n.unit_cost as cost from project p join project_materials m on m.project_id = p.id
      left join lateral (
        select unit_cost from material_prices b
        where b.contractor_id = $1 and b.item_key = m.item_key and b.currency = p.currency and (m.unit is null or b.unit = m.unit)
        order by b.observed_on desc, b.id desc limit 1) n on true)
  select row_to_json(x)::text as report from (
    select (select row_to_json(f) from (select p.job_number as "jobNumber", p.start_date as "startDate", p.end_date as "endDate",
          nullif(concat_ws(', ', p.address, p.city, p.state, p.zip), '') as address, left(p.description, 1000) as description) f) as facts,
      (select row_to_json(l) from (select coalesce(lead_source, source) as source, source_category as category,
          to_char(received_at at time zone 'UTC', ${ISO}) as "receivedAt"
        from leads where project_id = p.id and contractor_id = $1) l) as lead,
      (select case when count(*) > 0 then json_build_object('items', count(*), 'unpriced', count(*) - count(cost),
          'cost', coalesce(round(sum(cost), 2), 0.00)) end from priced) as materials
    from project p) x`

const STATEMENT = { name: 'plumbline_report_project_extras', text: TEXT }

/** Returns what is kept of a project beside its money, as JSON text; undefined when there is no such project. */
export async function projectExtras(
  db: Database,
  contractorId: string,
  projectId: string,
): Promise<string | undefined> {
  const [row] = await db.run<{ report: string }>(STATEMENT, [contractorId, projectId])
  return row?.report
}
