/** Where clocks go back at one in the morning, midnight comes twice: a bound of an index leaves room for the other one. */
const TWICE = `interval '1 hour'`

/** SQL of a moment before a day begins, at the earliest of what may count for it: a plain day is stored as midnight UTC. */
const daysFrom = (day: string, zone: string) =>
  `least(${day}::timestamp at time zone 'UTC', ${day}::timestamp at time zone ${zone} - ${TWICE})`

/** SQL of the moment behind a day, at the latest. */
const daysBehind = (day: string, zone: string) =>
  `greatest((${day}::timestamp + interval '1 day') at time zone 'UTC', (${day}::timestamp + interval '1 day') at time zone ${zone} + ${TWICE})`

/** SQL that is true for moments from one of the contractor's days to another: a range of an index, then the exact days. */
export const withinDays = (column: string, from: string, to: string, zone: string) =>
  `${column} >= ${daysFrom(from, zone)} and ${column} < ${daysBehind(to, zone)} and day_in(${column}, ${zone}) between ${from}::date and ${to}::date`

/** The same for all moments up to the end of a day. What is before its first moment needs no look at the clock there. */
export const untilDay = (column: string, to: string, zone: string) =>
  `${column} < ${daysBehind(to, zone)} and (${column} < ${daysFrom(to, zone)} or day_in(${column}, ${zone}) <= ${to}::date)`

/** What a transaction of each type that no invoice has used adds to what is unapplied. What was written off is in nobody's credit. */
export const SIGNED = `case type when 'refund' then -amount when 'reversal' then -amount when 'write_off' then 0 else amount end`

/** Of the basis: when a file said that an invoice was paid, without a date. */
export const UNDATED = 'A Status or Balance without a Paid Date counts from the day it was loaded.'

/** What is due of an invoice's open amount: retainage is held back. */
export const DUE_PART = (open: string, retainage: string) => `greatest(${open} - ${retainage}, 0)`

/**
 * Amounts open now, of invoices that ask for something: status finds them by its index, and no status has to be updated first, because time
 * alone never changes `paid`.
 */
export const OPEN_NOW = (zone: string) => `
  select customer_id, currency, day_in(invoice_date, ${zone}) as dated, day_in(due_date, ${zone}) as due, open_amount as open, retainage_amount as retainage
  from analytics_invoice_records
  where contractor_id = $1 and status in ('overdue', 'current', 'future')`

const LATER_TYPES = [`type = 'payment_received'`, `type = 'refund'`, `type in ('adjustment', 'reversal', 'write_off')`]

/** The most invoices touched since a past day that are looked up one by one: four buffers each, where a scan reads about 25 in one. */
const MOST_LOOKED_UP = 2500

/**
 * Amounts open at the end of a past day, by the same function with the sums of that day: those of now less what came later. Read are what is
 * open or in credit now, through its index, and what something has happened to since: each by its id while those are few, and else all
 * that are settled in one scan, so that a day far back costs no more than reading the invoices once (decision 089). Which of the two is
 * decided by counting. An invoice that nothing has happened to since keeps what is stored.
 */
export const OPEN_THEN = (asOf: string, zone: string) => {
  const behind = daysFrom(`(${asOf}::date + 1)`, zone)
  const isLater = (moment: string) => `day_in(${moment}, ${zone}) > ${asOf}::date`
  const sum = (type: string) => `coalesce(sum(amount) filter (where type = '${type}'), 0) as ${type}`
  const statedThen = `case
      when i.stated_balance is not null then case when not (${isLater('coalesce(i.settled_at, i.stated_at)')}) then i.stated_balance end
      when i.settled_at is not null and not (${isLater('i.settled_at')}) then 0 end`
  const COLUMNS = `id, customer_id, currency, invoice_date, due_date, amount, paid_amount, refunded_amount, reversed_amount, credited_amount,
    written_off_amount, retainage_amount, stated_balance, settled_at, stated_at, open_amount`
  const mine = `select ${COLUMNS} from analytics_invoice_records where contractor_id = $1`
  const toldLater = `coalesce(settled_at, stated_at) >= ${behind}`
  // `offset 0` keeps the planner from turning a lookup into a scan, or the scan into lookups, by an estimate.
  return `
  select customer_id, currency, dated, due, open, retainage from (
    with later as materialized (
      select invoice_id, ${['payment_received', 'refund', 'reversal', 'adjustment', 'write_off'].map(sum).join(', ')}
      from (${LATER_TYPES.map(
        (type) => `
        select invoice_id, type, amount from analytics_revenue_transactions
          where contractor_id = $1 and ${type} and invoice_id is not null and not mismatched and date >= ${behind} and ${isLater('date')}`,
      ).join(' union all ')}) t
      group by invoice_id),
    told as materialized (
      select id from analytics_invoice_records
      where contractor_id = $1 and ${toldLater} limit ${MOST_LOOKED_UP + 1}),
    touched as materialized (
      select (select count(*) from later) + (select count(*) from told) <= ${MOST_LOOKED_UP} as few),
    candidate as (
      ${mine} and status in ('overdue', 'current', 'future')
      union all ${mine} and open_amount < 0
      union all select i.* from (select invoice_id as id from later union select id from told) t
        cross join lateral (${mine} and id = t.id and open_amount = 0 offset 0) i where (select few from touched)
      union all select i.* from (${mine} and open_amount = 0 and invoice_date < ${daysBehind(asOf, zone)} offset 0) i
        left join later on later.invoice_id = i.id
        where not (select few from touched) and (later.invoice_id is not null or ${toldLater}))
    select i.customer_id, i.currency, day_in(i.invoice_date, ${zone}) as dated, day_in(i.due_date, ${zone}) as due, i.retainage_amount as retainage,
      case when later.invoice_id is null and not coalesce(${isLater('coalesce(i.settled_at, i.stated_at)')}, false) then i.open_amount
      else invoice_open_amount(i.amount, i.paid_amount - coalesce(later.payment_received - later.refund - later.reversal, 0),
        i.refunded_amount - coalesce(later.refund, 0), i.reversed_amount - coalesce(later.reversal, 0),
        i.credited_amount - coalesce(later.adjustment, 0), i.written_off_amount - coalesce(later.write_off, 0), ${statedThen}) end as open
    from candidate i left join later on later.invoice_id = i.id
    where ${untilDay('i.invoice_date', asOf, zone)}) then_open
  where open <> 0`
}
