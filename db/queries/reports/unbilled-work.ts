import type { Database } from '../../client'

/** Returns SQL of what was billed on a project `p` up to a day, and of what is dated ahead, in the currency and zone of `r`. */
export const BILLED = (day: string) => {
  const isAhead = `day_in(i.invoice_date, r.zone) > ${day}::date`
  return `select coalesce(sum(i.amount) filter (where not (${isAhead})), 0.00) as billed, coalesce(sum(i.amount) filter (where ${isAhead}), 0.00) as scheduled
      from analytics_invoice_records i where i.contractor_id = $1 and i.project_id = p.id and i.currency = r.currency`
}

/**
 * Projects in some statuses with what was billed on each up to a day, in the contractor's own currency, in which contract sums are. Projects are
 * found by the index on status, the invoices of each by the index on project.
 */
const TEXT = `with report as (select currency, timezone as zone from contractors where id = $1),
  work as (
    select p.id, p.name, p.customer_id, p.status, p.total_amount as contract, b.billed, b.scheduled, p.total_amount - b.billed as left_to_bill
    from projects p cross join report r cross join lateral (${BILLED('$5')}) b
    where p.contractor_id = $1 and p.status = any(string_to_array($2::text, ','))),
  left_over as (select * from work where left_to_bill > 0),
  told as (select * from left_over order by left_to_bill desc, id limit $3::int offset $4::int)
  select row_to_json(answer)::text as report from (
    select r.currency, $5::date as "asOf",
      (select row_to_json(t) from (select count(*) as projects, coalesce(sum(contract), 0.00) as contract,
        coalesce(sum(billed), 0.00) as billed, coalesce(sum(scheduled), 0.00) as scheduled, coalesce(sum(left_to_bill), 0.00) as "leftToBill"
        from left_over) t) as total,
      (select row_to_json(o) from (select count(*) filter (where left_to_bill <= 0) as projects,
        coalesce(sum(-left_to_bill) filter (where left_to_bill < 0), 0.00) as "billedBeyond" from work) o) as "nothingLeft",
      (select coalesce(json_agg(row_to_json(l) order by l."leftToBill" desc, l."projectId"), '[]') from (
        select w.id as "projectId", w.name as "projectName", u.name as "customerName", w.status,
          w.contract, w.billed, w.scheduled, w.left_to_bill as "leftToBill"
        from told w join users u on u.id = w.customer_id and u.contractor_id = $1) l) as projects,
      (select greatest(count(*) - $3::int - $4::int, 0) from left_over) as more
    from report r) answer`

const STATEMENT = { name: 'plumbline_report_unbilled_work', text: TEXT, long: true }

export type UnbilledWorkQuery = {
  contractorId: string
  statuses: readonly string[]
  limit: number
  skip: number
  /** The contractor's day (ISO) up to which invoices are billed. */
  today: string
}

/** Returns projects by what is left to bill of their contracts, the most first, as JSON text. */
export async function unbilledWork(db: Database, query: UnbilledWorkQuery): Promise<string> {
  const { contractorId, statuses, limit, skip, today } = query
  const [row] = await db.run<{ report: string }>(STATEMENT, [contractorId, statuses.join(','), limit, skip, today])
  if (!row) throw new Error('a contractor that has a key is there')
  return row.report
}

const OF_ONE = {
  name: 'plumbline_report_billed',
  text: `select b.billed::float8 as billed, b.scheduled::float8 as scheduled, (p.total_amount - b.billed)::float8 as "leftToBill"
    from projects p cross join (select currency, timezone as zone from contractors where id = $1) r cross join lateral (${BILLED('$3')}) b
    where p.id = $2 and p.contractor_id || '' = $1`,
}

export type Billed = { billed: number; scheduled: number; leftToBill: number }

/** Returns what was billed on one project, and what is left of its contract. */
export async function billedOf(
  db: Database,
  { contractorId, projectId, today }: { contractorId: string; projectId: string; today: string },
): Promise<Billed> {
  const [row] = await db.run<Billed>(OF_ONE, [contractorId, projectId, today])
  return row ?? { billed: 0, scheduled: 0, leftToBill: 0 }
}
