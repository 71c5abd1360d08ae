import type { Database } from '../../client'
import { PERSON } from '../lead-person'

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

const TEXT = `with project as (
    select p.* from projects p where p.id = $2 and p.contractor_id || '' = $1)
  select row_to_json(x)::text as report from (
    select (select row_to_json(f) from (select p.job_number as "jobNumber", p.start_date as "startDate", p.end_date as "endDate",
          nullif(concat_ws(', ', p.address, p.city, p.state, p.zip), '') as address, left(p.description, 1000) as description) f) as facts,
      (select row_to_json(x) from (select coalesce(l.lead_source, l.source) as source, l.source_category as category,
          to_char(l.received_at at time zone 'UTC', ${ISO}) as "receivedAt", ${PERSON}
        from leads l join users u on u.id = p.customer_id where l.project_id = p.id and l.contractor_id = $1) x) as lead
    from project p) x`

const STATEMENT = { name: 'plumbline_report_project_extras', text: TEXT, long: true }

/** Returns what is kept of a project beside its money, as JSON text; undefined when there is no such project. */
export async function projectExtras(
  db: Database,
  contractorId: string,
  projectId: string,
): Promise<string | undefined> {
  const [row] = await db.run<{ report: string }>(STATEMENT, [contractorId, projectId])
  return row?.report
}
