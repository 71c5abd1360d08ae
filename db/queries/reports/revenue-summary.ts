import type { Database } from '../../client'
import { withinDays } from '../days'
import { UNRECORDED_WITHIN, WITHOUT_RECORD } from './open-invoices'

const ZONE = '$8::text'

/**
 * Returns SQL of one kind of record from the first day that is told to the last, each with the contractor's day; each kind has an index by
 * date.
 */
const kind = (name: string, table: string, date: string, only = '') => `
    select '${name}' as kind, project_id, customer_id, day_in(${date}, ${ZONE}) as at, amount, currency from ${table}
    where contractor_id = $1 and ${withinDays(date, 'least($2::date, $4::date)', '$3', ZONE)} ${only}`

/** Words of a project's name that tell its trade; the first that fits counts. Nothing else is kept of a project's trade. */
const TRADES: [trade: string, words: string][] = [
  ['solar', 'solar|photovolt'],
  ['roofing', 'roof|shingle|gutter|flashing'],
  ['electrical', 'electric|panel|wiring|circuit|outlet|lighting|ev charger|generator|service upgrade'],
  ['hvac', 'hvac|furnace|heat pump|air condition|duct'],
  ['plumbing', 'plumb|water heater|pipe|drain|sewer'],
  ['windows_doors', 'window|door|skylight'],
  ['siding', 'siding|fascia|soffit'],
  ['decks_fences', 'deck|fence|porch|pergola'],
  ['painting', 'paint'],
  ['flooring_tile', 'floor|tile|carpet'],
  ['concrete_masonry', 'concrete|driveway|patio|masonry|foundation|retaining wall'],
  ['remodeling', 'kitchen|bath|remodel|basement|addition|renovat'],
]
const TRADE = `(select case ${TRADES.map(([trade, words]) => `when p.name ~* '${words}' then '${trade}'`).join(' ')} else 'other' end
    from projects p where p.id = m.project_id)`

const AMOUNTS = (when: string) => `
  coalesce(sum(amount) filter (where kind = 'invoiced' and ${when}), 0.00) as invoiced,
  coalesce(sum(amount) filter (where kind = 'received' and ${when}), 0.00) as received,
  coalesce(sum(amount) filter (where kind = 'refunded' and ${when}), 0.00) as refunded,
  coalesce(sum(amount) filter (where kind = 'reversed' and ${when}), 0.00) as reversed,
  coalesce(sum(case kind when 'received' then amount when 'refunded' then -amount when 'reversed' then -amount end) filter (where ${when}), 0.00) as net,
  coalesce(sum(amount) filter (where kind = 'paidWithoutRecord' and ${when}), 0.00) as "paidWithoutRecord"`
const NAMES = ['invoiced', 'received', 'refunded', 'reversed', 'net', '"paidWithoutRecord"']
const listed = (select: (name: string, before: string) => string) =>
  NAMES.map((name) => select(name, `before_${name.replaceAll('"', '')}`)).join(', ')
/** The amounts of the days before a line's as JSON. */
const BEFORE = `(select row_to_json(s) from (select ${listed((name, before) => `${before} as ${name}`)}) s)`
const NOW = 'at >= $2::date'
const THEN = 'at between $4::date and $5::date'
const both = (when: string, from: string) => `(select row_to_json(s) from (select ${AMOUNTS(when)} from ${from}) s)`

const MINE = `with report as (select coalesce($6::text, currency) as currency from contractors where id = $1),
  moved as (${[
    kind('invoiced', 'analytics_invoice_records', 'invoice_date'),
    kind('received', 'analytics_revenue_transactions', 'date', `and type = 'payment_received'`),
    kind('refunded', 'analytics_revenue_transactions', 'date', `and type = 'refund'`),
    kind(
      'reversed',
      'analytics_revenue_transactions',
      'date',
      `and type in ('adjustment', 'reversal', 'write_off') and type = 'reversal'`,
    ),
    UNRECORDED_WITHIN(
      'least($2::date, $4::date)',
      '$3',
      ZONE,
      (day, amount) => `
    select 'paidWithoutRecord', i.project_id, i.customer_id, ${day}, ${amount}, i.currency`,
    ),
  ].join(' union all ')}),
  mine as materialized (select m.* from moved m join report r on r.currency = m.currency)`

const BASIS = `
      'Days of ' || ${ZONE} || ', those dated ahead too. net = received - refunded - reversed. ${WITHOUT_RECORD}' as basis,`

const CURRENCIES = `(select coalesce(json_agg(o.currency order by o.currency), '[]') from (
    select distinct currency from moved) o where o.currency <> r.currency)`

/** Returns SQL of whom or what the money came from, the most of the amount that is asked for first. */
const byKey = (key: string, name: string) => `${MINE},
  keyed as (select ${key} as key, m.kind, m.at, m.amount from mine m),
  line as (
    select key, ${listed((name, before) => `n.${name}, b.${name} as ${before}`)}
    from (select key, ${AMOUNTS(NOW)} from keyed group by key) n join (select key, ${AMOUNTS(THEN)} from keyed group by key) b using (key))
  select row_to_json(x)::text as report from (select r.currency, ${both(NOW, 'mine')} as total, ${both(THEN, 'mine')} as "totalBefore",
    (select coalesce(json_agg(l), '[]') from (
      select key, ${name} as name, ${listed((name) => name)}, ${BEFORE} as before
      from line order by case $10::text when 'invoiced' then invoiced when 'received' then received else net end desc, net desc, invoiced desc, key limit $7::int offset $9::int) l) as lines,
    (select greatest(count(*) - $7::int - $9::int, 0)::int from line) as more,${BASIS} ${CURRENCIES} as "otherCurrencies" from report r) x`

/** Calendar periods without gaps, each beside the one before it. */
const byPeriod = (step: 'month' | 'quarter' | 'year') => {
  const length = step === 'quarter' ? '3 months' : `1 ${step}`
  const label = { month: 'YYYY-MM', quarter: 'YYYY-"Q"Q', year: 'YYYY' }[step]
  return `${MINE},
  period as (
    select p as start, to_char(p, '${label}') as key
    from generate_series(date_trunc('${step}', $2::timestamp) - interval '${length}', $3::timestamp, interval '${length}') p),
  summed as (select date_trunc('${step}', at::timestamp) as start, ${AMOUNTS('true')} from mine group by 1),
  line as (
    select p.start, p.key, ${listed((name, before) => `coalesce(s.${name}, 0.00) as ${name}, lag(coalesce(s.${name}, 0.00)) over w as ${before}`)}
    from period p left join summed s using (start) window w as (order by p.start))
  select row_to_json(x)::text as report from (select r.currency, ${both(NOW, 'mine')} as total, ${both(THEN, 'mine')} as "totalBefore",
    (select coalesce(json_agg(l), '[]') from (
      select key, key as name, ${listed((name) => name)}, ${BEFORE} as before
      from line where before_invoiced is not null and $7::int > 0 and $9::int >= 0 and $10::text <> '' order by start) l) as lines,
    0 as more,${BASIS} ${CURRENCIES} as "otherCurrencies" from report r) x`
}

const TEXTS = {
  customer: byKey('m.customer_id', '(select u.name from users u where u.id = key)'),
  trade: byKey(TRADE, 'key'),
  month: byPeriod('month'),
  quarter: byPeriod('quarter'),
  year: byPeriod('year'),
}

export type RevenueSummaryQuery = {
  contractorId: string
  /** The contractor's time zone. */
  zone: string
  /** The contractor's days (ISO), all included: those told, and those beside them. */
  from: string
  to: string
  beforeFrom: string
  beforeTo: string
  by: keyof typeof TEXTS
  currency: string | undefined
  /** The customers or trades that are told, by which amount, and behind how many. */
  sort: 'net' | 'invoiced' | 'received'
  limit: number
  skip: number
}

/** Returns what was invoiced and received by customer, trade or period, as JSON text. */
export async function revenueSummary(db: Database, query: RevenueSummaryQuery): Promise<string> {
  const { contractorId, zone, from, to, beforeFrom, beforeTo, by, currency = null, sort, limit, skip } = query
  const statement = { name: `plumbline_report_revenue_${by}`, text: TEXTS[by], long: true }
  const [row] = await db.run<{ report: string }>(statement, [
    contractorId,
    from,
    to,
    beforeFrom,
    beforeTo,
    currency,
    limit,
    zone,
    skip,
    sort,
  ])
  if (!row) throw new Error('a contractor that has a key is there')
  return row.report
}
