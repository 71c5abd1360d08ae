import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { dayIn } from '@/lib/core/time'
import { actorOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { contractorDay, type History, type HistoryEvent, openOf, randomHistories } from '@/lib/testing/histories'
import { makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { getBusinessOverview } from '../overview/get-business-overview'
import { getCashFlow } from './cash-flow'
import { listOpenInvoices } from './list-open-invoices'
import { getProjectFinancials } from './project-financials'
import { getReceivablesAging } from './receivables-aging'

let db: Database
beforeEach(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterEach(() => db.close())

/**
 * The seeds and numbers: with `npm run test:all` ten thousand in all, in four databases, so that a statement stays far from its deadline on a busy
 * machine too.
 */
const SEEDS = process.env.PLUMBLINE_TEST_ALL === '1' ? [20_260_716, 20_260_718, 20_260_720, 20_260_722] : [20_260_716]
const [COUNT, PROJECTS, CUSTOMERS, LOOSE, IN_ONE_STATEMENT] = [2_500, 20, 10, 100, 500]
const ZONE = 'America/Chicago'
const NOW = new Date()
const TODAY = dayIn(ZONE, NOW)
/** Days by moment: telling one needs a calendar, and the histories ask for the same ones again and again. */
const days = new Map<number, string>()
function day(at: Date): string {
  const known = days.get(at.getTime()) ?? contractorDay(ZONE, at)
  days.set(at.getTime(), known)
  return known
}
const cents = (amount: unknown) => Math.round(Number(amount) * 100)
const money = (amount: number) => (amount / 100).toFixed(2)

/** Writes rows in few statements, through the triggers, as loads do. */
async function insert(table: string, columns: string, records: object[]): Promise<void> {
  for (let i = 0; i < records.length; i += IN_ONE_STATEMENT)
    await rows(
      db.orm,
      sql`insert into ${sql.raw(`${table} (${columns})`)} select ${sql.raw(columns)}
        from jsonb_populate_recordset(null::${sql.raw(table)}, ${JSON.stringify(records.slice(i, i + IN_ONE_STATEMENT))}::jsonb)`,
    )
}

const transaction = (id: string, project: number, invoice: string | null, event: HistoryEvent) => ({
  id,
  project_id: `prj_${project}`,
  customer_id: `cus_${project % CUSTOMERS}`,
  invoice_id: invoice,
  ...event,
  amount: money(event.amount),
  method: 'other',
})

/** The books of one contractor with these histories, and money that names no invoice. */
async function books(histories: History[], loose: History[]) {
  const { contractor } = await makeTenant(db)
  const { id } = contractor
  await rows(db.orm, sql`update contractors set timezone = ${ZONE} where id = ${id}`)
  const of = (records: object[]) => records.map((record) => ({ contractor_id: id, ...record }))
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
  await insert(
    'users',
    'id, contractor_id, name',
    of(numbers(CUSTOMERS).map((i) => ({ id: `cus_${i}`, name: `Customer ${i}` }))),
  )
  await insert(
    'projects',
    'id, contractor_id, customer_id, name, status',
    of(
      numbers(PROJECTS).map((i) => ({
        id: `prj_${i}`,
        customer_id: `cus_${i % CUSTOMERS}`,
        name: 'P',
        status: 'completed',
      })),
    ),
  )
  await insert(
    'analytics_invoice_records',
    'id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date, settled_at, stated_balance, retainage_amount',
    of(
      histories.map((h, i) => ({
        id: `inv_${i}`,
        project_id: `prj_${h.project}`,
        customer_id: `cus_${h.project % CUSTOMERS}`,
        number: `${i}`,
        amount: money(h.amount),
        currency: h.currency,
        invoice_date: h.date,
        due_date: h.due,
        settled_at: h.paidDate,
        stated_balance: h.stated === null ? null : money(h.stated),
        retainage_amount: money(h.retainage),
      })),
    ),
  )
  await insert(
    'analytics_revenue_transactions',
    'id, contractor_id, project_id, customer_id, invoice_id, type, amount, currency, date, method',
    of([
      ...histories.flatMap((h, i) =>
        h.events.map((event, n) => transaction(`t_${i}_${n}`, h.project, `inv_${i}`, event)),
      ),
      ...loose.flatMap((h, i) => h.events.map((event, n) => transaction(`l_${i}_${n}`, h.project, null, event))),
    ]),
  )
  return { actor: actorOf(contractor), id }
}

const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
/** The sign of each transaction that no invoice has used; a written-off amount is in nobody's credit, but is no longer owed. */
const SIGN = { payment_received: 1, adjustment: 1, write_off: 0, refund: -1, reversal: -1 }

/** Returns what the histories say of a currency on a day, told without the database. */
function told(histories: History[], loose: History[], currency: string, asOf: string) {
  const isDated = ({ date }: { date: Date }) => day(date) <= asOf
  /** A balance without a paid date is known since it was stored, which is now. */
  const states = ({ stated, paidDate }: History) =>
    paidDate ? day(paidDate) <= asOf : stated === null || asOf >= TODAY
  const signed = (events: HistoryEvent[]) => sumOf(events.map(({ type, amount }) => SIGN[type] * amount))
  const lines = histories
    .filter((h) => h.currency === currency)
    .map((h) => {
      const [dated, due] = [day(h.date), day(h.due)]
      const early = signed(
        dated > asOf ? h.events.filter((event) => event.currency === currency && isDated(event)) : [],
      )
      const open = openOf(h, (event) => dated <= asOf && isDated(event), states(h))
      const unpaid = Math.max(open - h.retainage, 0)
      const status = open <= 0 ? 'paid' : unpaid > 0 && due < asOf ? 'overdue' : dated > asOf ? 'future' : 'current'
      return { open, unpaid, held: Math.max(open, 0) - unpaid, due, dated, status, early, history: h }
    })
  const loosely = [
    ...loose.flatMap((h) => h.events),
    ...histories.flatMap((h) => h.events.filter((event) => event.currency !== h.currency)),
  ].filter((event) => event.currency === currency && isDated(event))
  const issued = lines.filter(({ dated, open }) => dated <= asOf && open > 0)
  const inCredit = sumOf(lines.map(({ dated, open }) => (dated <= asOf && open < 0 ? -open : 0)))
  const early = sumOf(lines.map((line) => line.early))
  const [unpaid, retainage] = [sumOf(issued.map((line) => line.unpaid)), sumOf(issued.map(({ held }) => held))]
  const future = sumOf(lines.map(({ dated, open }) => (dated > asOf ? Math.max(open, 0) : 0)))
  const unapplied = signed(loosely) + early + inCredit
  const givenUp = sumOf(loosely.map(({ type, amount }) => (type === 'write_off' ? amount : 0)))
  return {
    lines,
    unpaid,
    overdue: sumOf(issued.filter(({ due }) => due < asOf).map((line) => line.unpaid)),
    retainage,
    future,
    unapplied,
    balance: unpaid + retainage + future - unapplied - givenUp,
  }
}

test.each(SEEDS)(
  '2,500 random histories of seed %i: status, aging, project financials and cash flow agree to the cent',
  {
    timeout: 120_000,
  },
  async (seed) => {
    const histories = randomHistories(COUNT, PROJECTS, NOW, seed)
    const loose = randomHistories(LOOSE, PROJECTS, NOW, seed + 1)
    const { actor, id } = await books(histories, loose)
    for (const currency of ['USD', 'EUR']) {
      const truth = told(histories, loose, currency, TODAY)

      // Status and the open amount of every single invoice.
      const stored = await rows<{ n: number; status: string; open: string }>(
        db.orm,
        sql`select number::int as n, status, open_amount::text as open from analytics_invoice_records
        where contractor_id = ${id} and currency = ${currency} order by 1`,
      )
      expect(stored.map(({ status, open }) => `${status} ${cents(open)}`)).toEqual(
        truth.lines.map(({ status, open }) => `${status} ${open}`),
      )

      const aging = await execute(getReceivablesAging, { actor, now: NOW }, { currency })
      const { unpaid, overdue, retainage, future, unapplied } = aging.total
      expect([unpaid, overdue, retainage, future, unapplied].map(cents)).toEqual([
        truth.unpaid,
        truth.overdue,
        truth.retainage,
        truth.future,
        truth.unapplied,
      ])
      expect(cents(aging.total.current)).toBe(truth.unpaid - truth.overdue)

      // The projects, one by one.
      const sums = { unpaid: 0, overdue: 0, notYetDue: 0, retainage: 0, future: 0, balance: 0 }
      for (let n = 0; n < PROJECTS; n++) {
        const project = await execute(getProjectFinancials, { actor, now: NOW }, { projectId: `prj_${n}`, currency })
        expect(project.unpaid).toBeCloseTo(project.overdue + project.notYetDue, 6)
        for (const name of ['unpaid', 'overdue', 'notYetDue', 'retainage', 'future', 'balance'] as const)
          sums[name] += cents(project[name])
      }
      expect(sums).toEqual({
        unpaid: truth.unpaid,
        overdue: truth.overdue,
        notYetDue: truth.unpaid - truth.overdue,
        retainage: truth.retainage,
        future: truth.future,
        balance: truth.balance,
      })

      // The aging of past days, and the cash flow up to them.
      for (const back of [0, 3, 200, -4, -30]) {
        const asOf = new Date(Date.parse(TODAY) - back * 86_400_000).toISOString().slice(0, 10)
        const then = told(histories, loose, currency, asOf)
        const on = (await execute(getReceivablesAging, { actor, now: NOW }, { currency, asOf })).total
        expect([on.unpaid, on.overdue, on.retainage, on.future, on.unapplied].map(cents), asOf).toEqual([
          then.unpaid,
          then.overdue,
          then.retainage,
          then.future,
          then.unapplied,
        ])
        const listed = (await execute(listOpenInvoices, { actor, now: NOW }, { currency, asOf, limit: 1 })).total
        expect([listed.unpaid, listed.retainage <= on.retainage], asOf).toEqual([on.unpaid, true])
        const from = '2020-01-01'
        const flow = await execute(getCashFlow, { actor, now: NOW }, { currency, from, to: asOf })
        expect(cents(flow.unpaidAtEnd)).toBe(back < 0 ? truth.unpaid : then.unpaid)
        const events = [...histories, ...loose].flatMap((h) => h.events)
        const sum = (type: HistoryEvent['type']) =>
          sumOf(
            events
              .filter((event) => event.type === type && event.currency === currency && day(event.date) <= asOf)
              .map(({ amount }) => amount),
          )
        const invoiced = histories.filter((h) => h.currency === currency && day(h.date) <= asOf).map((h) => h.amount)
        const { total } = flow
        expect(
          [total.invoiced, total.received, total.refunded, total.reversed, total.credited, total.writtenOff].map(cents),
        ).toEqual([
          sumOf(invoiced),
          ...(['payment_received', 'refund', 'reversal', 'adjustment', 'write_off'] as const).map(sum),
        ])
        expect(cents(sumOf(flow.periods.map(({ net }) => net)))).toBe(cents(total.net))
      }
    }
    // The lines of the first page, day by day.
    const { open, overdue } = await execute(getBusinessOverview, { actor, now: NOW }, {})
    for (const [n, { day: asOf, amount }] of (open?.points ?? []).entries()) {
      const then = told(histories, loose, 'USD', asOf)
      expect([amount, overdue?.points[n]?.amount].map(cents), asOf).toEqual([then.unpaid, then.overdue])
    }
    expect(open?.points).toHaveLength(30)
    expect(cents(open?.before)).toBe(told(histories, loose, 'USD', open?.beforeTo ?? '').unpaid)
  },
)
