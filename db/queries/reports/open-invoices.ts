import type { Database, Statement, Value } from '../../client'
import { afterDay, daysBehind, daysFrom, untilDay, withinDays } from '../days'
import { staleFlag, updateStaleStatuses } from '../stale-statuses'

/** The SQL of what a transaction of each type that no invoice has used adds to what is unapplied. What was written off is in nobody's credit. */
export const SIGNED = `case type when 'refund' then -amount when 'reversal' then -amount when 'write_off' then 0 else amount end`

/** The part of the basis for when a file said that an invoice was paid, without a date. */
export const UNDATED = 'A Status or Balance without a Paid Date counts from the day it was loaded.'

/** Returns SQL of what is due of an invoice's open amount: retainage is held back. */
export const DUE_PART = (open: string, retainage: string) => `greatest(${open} - ${retainage}, 0)`

/** A day of a report as SQL: the day, the contractor's time zone, and the contractor's today, from which on all that a file says counts. */
export type OnDay = { day: string; zone: string; today: string }

/** The ages of what is unpaid, each with its condition on the days since the due day: an invoice is not late on it. */
export const AGES = {
  overdue: 'late > 0',
  current: 'late <= 0',
  days1to30: 'late between 1 and 30',
  days31to60: 'late between 31 and 60',
  days61to90: 'late between 61 and 90',
  over90: 'late > 90',
} as const
export type Age = keyof typeof AGES

/** Returns SQL of what an invoice's file says is open, as far as it counts on a day. */
export const statedOn = ({ day, zone, today }: OnDay, i = 'i') => `case
      when day_in(coalesce(${i}.settled_at, case when ${day}::date < ${today}::date then ${i}.stated_at end), ${zone}) > ${day}::date then null
      else coalesce(${i}.stated_balance, case when ${i}.settled_at is not null then 0 end) end`

/** The sums of transactions that an open amount follows from. */
export const SUMS_OF_TYPES = Object.entries({
  paid: `case type when 'payment_received' then amount when 'allocation' then amount when 'refund' then -amount when 'reversal' then -amount end`,
  refunded: `case type when 'refund' then amount end`,
  reversed: `case type when 'reversal' then amount end`,
  credited: `case type when 'adjustment' then amount end`,
  written_off: `case type when 'write_off' then amount end`,
  taken: `case when type in ('refund', 'reversal') then -amount else amount end`,
})
  .map(([name, amount]) => `coalesce(sum(${amount}), 0) as ${name}`)
  .join(', ')

/** Conditions that select all types, each by the partial indexes that hold them. */
export const EACH_TYPE = [
  `type = 'payment_received'`,
  `type = 'allocation'`,
  `type = 'refund'`,
  `type in ('adjustment', 'reversal', 'write_off')`,
]

/**
 * Returns SQL of money and credits by the end of a day that no invoice has used, but for what invoices have in credit: of transactions without an
 * invoice, and of those that are older than theirs, until its date.
 * @param mine a further condition, such as of one customer
 */
export const LOOSE_ON = ({ day, zone }: OnDay, mine = '') => `
    select customer_id, currency, ${SIGNED} as amount from analytics_revenue_transactions
      where contractor_id = $1 ${mine} and (invoice_id is null or mismatched) and ${untilDay('date', day, zone)}
    union all select customer_id, currency, ${SIGNED} from analytics_revenue_transactions
      where contractor_id = $1 ${mine} and waits_until is not null and ${afterDay('waits_until', day, zone)} and ${untilDay('date', day, zone)}`

/** Returns SQL of what invoices dated after a day ask for, by customer and currency: whole, unless their files say more than the records. */
export const AHEAD_ON = (on: OnDay, mine = '') => `
  select i.customer_id, i.currency, sum(invoice_open_on(i.amount, 0, 0, 0, 0, 0, ${statedOn(on)},
    i.paid_amount + i.credited_amount + i.written_off_amount + i.pending_amount)) as open from analytics_invoice_records i
  where i.contractor_id = $1 ${mine} and i.amount > 0 and i.payment_known and ${afterDay('i.invoice_date', on.day, on.zone)} group by i.customer_id, i.currency`

/** Returns SQL of what an invoice `i` asks for on a day: from the stored sums and what was moved between that day and today (`moved`). */
export const MOVED_OPEN = (
  on: OnDay,
) => `invoice_open_on(i.amount, i.paid_amount + coalesce(moved.paid, 0), i.refunded_amount + coalesce(moved.refunded, 0),
        i.reversed_amount + coalesce(moved.reversed, 0), i.credited_amount + coalesce(moved.credited, 0),
        i.written_off_amount + coalesce(moved.written_off, 0), ${statedOn(on)}, i.pending_amount - coalesce(moved.taken, 0))`

/** The most invoices touched since a day that are looked up one by one: four buffers each, where a scan reads about 25 in one. */
const MOST_LOOKED_UP = 2500

/**
 * Amounts open at the end of a day, past, today or ahead, of invoices dated up to it: by the same function as those that are stored, with the
 * sums of that day. Those are the stored ones, as of the database's today, less what counts only since, or with what counts by then. Read are
 * what is open or in credit now, through its index, and what something happens to between the two days: each by its id while those are few, and
 * else all that are settled in one scan, so that a day far back costs no more than reading the invoices once (docs/performance/past-days.md).
 * Which of the two is decided by counting. An invoice that nothing happens to in between, and whose date is not there, keeps what is stored.
 */
export const OPEN_ON = (on: OnDay) => {
  const { day, zone, today } = on
  const stored = `(now() at time zone ${zone})::date`
  const [first, last] = [`(least(${day}::date, ${stored}) + 1)`, `greatest(${day}::date, ${stored})`]
  const COLUMNS = `id, customer_id, currency, invoice_date, due_date, amount, paid_amount, refunded_amount, reversed_amount, credited_amount,
    written_off_amount, retainage_amount, stated_balance, settled_at, stated_at, open_amount, payment_known, pending_amount`
  const mine = `select ${COLUMNS} from analytics_invoice_records where contractor_id = $1`
  const isTold = `(settled_at is not null or ${day}::date < ${today}::date) and coalesce(settled_at, stated_at) >= ${daysFrom(first, zone)}`
  const within = `select invoice_id, type, case when ${day}::date < ${stored} then -amount else amount end as amount
          from analytics_revenue_transactions where contractor_id = $1`
  // `offset 0` keeps the planner from turning a lookup into a scan, or the scan into lookups, by an estimate.
  return `
  select id, customer_id, currency, dated, due, open, retainage from (
    with moved as materialized (
      select invoice_id, ${SUMS_OF_TYPES}
      from (${EACH_TYPE.map(
        (type) => `
        ${within} and ${type} and invoice_id is not null and not mismatched and waits_until is null and ${withinDays('date', first, last, zone)}`,
      ).join(' union all ')}
        union all ${within} and waits_until is not null and ${withinDays('waits_until', first, last, zone)}) t
      group by invoice_id),
    told as materialized (
      select id from analytics_invoice_records
      where contractor_id = $1 and ${isTold} limit ${MOST_LOOKED_UP + 1}),
    touched as materialized (
      select (select count(*) from moved) + (select count(*) from told) <= ${MOST_LOOKED_UP} as few),
    candidate as (
      ${mine} and status in ('overdue', 'current', 'future')
      union all ${mine} and open_amount < 0
      union all select i.* from (select invoice_id as id from moved union select id from told) t
        cross join lateral (${mine} and id = t.id and open_amount = 0 and status = 'paid' offset 0) i where (select few from touched)
      union all select i.* from (${mine} and open_amount = 0 and status = 'paid' and invoice_date < ${daysBehind(day, zone)} offset 0) i
        left join moved on moved.invoice_id = i.id
        where not (select few from touched) and (moved.invoice_id is not null or ${isTold}))
    select i.id, i.customer_id, i.currency, day_in(i.invoice_date, ${zone}) as dated, day_in(i.due_date, ${zone}) as due, i.retainage_amount as retainage,
      case when moved.invoice_id is null and (not i.payment_known or not coalesce(${isTold} or i.invoice_date >= ${daysFrom(first, zone)}, false)) then i.open_amount
      else ${MOVED_OPEN(on)} end as open
    from candidate i left join moved on moved.invoice_id = i.id
    where ${untilDay('i.invoice_date', day, zone)}) on_day
  where open <> 0`
}

/**
 * Returns SQL of what files say was paid of invoices `i` without a payment, credit or write-off in the books: what the records alone leave open,
 * less what is open.
 */
const UNRECORDED = `invoice_open_amount(i.amount, i.paid_amount, i.refunded_amount, i.reversed_amount, i.credited_amount, i.written_off_amount, null)
      - i.open_amount`

/** Returns SQL of the same from one day to another, each on its Paid Date, and without one on the invoice's date: `select` is given the day. */
export const UNRECORDED_WITHIN = (
  from: string,
  to: string,
  zone: string,
  select: (day: string, amount: string) => string,
) => `
    ${select(`day_in(i.invoice_date, ${zone})`, UNRECORDED)} from analytics_invoice_records i
    where i.contractor_id = $1 and i.settled_at is null and i.stated_at is not null and i.payment_known and ${withinDays('i.invoice_date', from, to, zone)}
    union all ${select(`day_in(i.settled_at, ${zone})`, UNRECORDED)} from analytics_invoice_records i
    where i.contractor_id = $1 and i.settled_at is not null and ${withinDays('coalesce(i.settled_at, i.stated_at)', from, to, zone)}`

/** The part of the basis for what was paid without a record. */
export const WITHOUT_RECORD =
  'paidWithoutRecord is what files say was paid and no payment shows, on its Paid Date or else the invoice’s date; it is in no other sum.'

const INVOICES = { table: 'analytics_invoice_records', turnsAt: 'turns_at' }

/** SQL that is true when stored amounts are not today's yet, because the day of a payment or an invoice has come since. */
export const STALE = staleFlag(INVOICES)

/**
 * Runs a report's statement, whose first value is the contractor; undefined where it answers no row. Where the clock has changed stored amounts,
 * they are updated first.
 */
export async function reportOf(db: Database, statement: Statement, values: Value[]): Promise<string | undefined> {
  const [row] = await db.run<{ report: string; stale: boolean }>(statement, values)
  if (!row?.stale) return row?.report
  await updateStaleStatuses(db, INVOICES, String(values[0]))
  return await reportOf(db, statement, values)
}
