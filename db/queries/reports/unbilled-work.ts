import type { Database } from '../../client'

/**
 * Projects in some statuses with what was invoiced on each, in the contractor's own currency, in which contract sums are. Projects are
 * found by the index on status, the invoices of each by the index on project.
 */
const TEXT = `with report as (select currency from contractors where id = $1),
  work as (
    select p.id, p.name, p.customer_id, p.status, p.total_amount as contract,
      coalesce((select sum(i.amount) from analytics_invoice_records i
        where i.contractor_id = $1 and i.project_id = p.id and i.currency = r.currency), 0.00) as invoiced
    from projects p cross join report r where p.contractor_id = $1 and p.status = any(string_to_array($2::text, ','))),
  told as (select * from work order by contract - invoiced desc, id limit $3::int offset $4::int)
  select row_to_json(answer)::text as report from (
    select r.currency,
      (select row_to_json(t) from (select count(*) as projects, coalesce(sum(contract), 0.00) as contract,
        coalesce(sum(invoiced), 0.00) as invoiced, coalesce(sum(contract - invoiced), 0.00) as "leftToBill" from work) t) as total,
      (select coalesce(json_agg(row_to_json(l) order by l."leftToBill" desc, l."projectId"), '[]') from (
        select w.id as "projectId", w.name as "projectName", u.name as "customerName", w.status,
          w.contract, w.invoiced, w.contract - w.invoiced as "leftToBill"
        from told w join users u on u.id = w.customer_id and u.contractor_id = $1) l) as projects,
      (select greatest(count(*) - $3::int - $4::int, 0) from work) as more
    from report r) answer`

const STATEMENT = { name: 'plumbline_report_unbilled_work', text: TEXT }

export type UnbilledWorkQuery = { contractorId: string; statuses: readonly string[]; limit: number; skip: number }

/** Returns projects by what is left to bill of their contracts, the most first, as JSON text. */
export async function unbilledWork(db: Database, query: UnbilledWorkQuery): Promise<string> {
  const { contractorId, statuses, limit, skip } = query
  const [row] = await db.run<{ report: string }>(STATEMENT, [contractorId, statuses.join(','), limit, skip])
  if (!row) throw new Error('a contractor that has a key is there')
  return row.report
}
