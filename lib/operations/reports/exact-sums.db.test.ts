import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { getCashFlow } from './cash-flow'
import { getProjectFinancials } from './project-financials'
import { getReceivablesAging } from './receivables-aging'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T12:00:00Z')
const COUNT = 10_000

/** Ten thousand invoices with odd cents on one project: every second one is partly paid, every fiftieth has a refund. */
async function manyRecords() {
  const tenant = await makeTenant(db)
  await tenant.load({
    'customers.csv': 'Customer ID,Name\nC1,Dana\n',
    'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,Roof\n',
  })
  const { id } = tenant.contractor
  const [project] = await rows<{ id: string }>(db.orm, sql`select id from projects where contractor_id = ${id}`)
  const projectId = project?.id ?? ''
  await rows(
    db.orm,
    sql`insert into analytics_invoice_records
        (id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date)
      select 'inv_' || p.id || '_' || n, p.contractor_id, p.id, p.customer_id, n::text, (n * 7919 % 1000003) / 100.0 + 100, 'USD',
        timestamptz '2026-01-01 00:00Z' + (n % 320) * interval '1 day',
        timestamptz '2026-01-01 00:00Z' + (n % 350) * interval '1 day'
      from projects p, generate_series(1, ${COUNT}::int) n where p.contractor_id = ${id}`,
  )
  await rows(
    db.orm,
    sql`insert into analytics_revenue_transactions
        (id, contractor_id, project_id, customer_id, invoice_id, type, amount, currency, date, method)
      select k.prefix || p.id || '_' || n, p.contractor_id, p.id, p.customer_id, 'inv_' || p.id || '_' || n, k.type,
        (n * k.factor % 9973) / 100.0 + 0.01, 'USD', timestamptz '2026-01-01 00:00Z' + (n % 321) * interval '1 day', 'check'
      from projects p, generate_series(1, ${COUNT}::int) n,
        (values ('pay_', 'payment_received', 31, 2), ('ref_', 'refund', 17, 50)) k(prefix, type, factor, each)
      where p.contractor_id = ${id} and n % k.each = 0`,
  )
  return { actor: actorOf(tenant.contractor), projectId, id }
}

type Sums = { invoiced: string; received: string; refunded: string; unpaid: string; overdue: string }

test('sums of ten thousand records leave as the very digits of a direct sum', { timeout: 120_000 }, async () => {
  const { actor, projectId, id } = await manyRecords()
  const [sums] = await rows<Sums>(
    db.orm,
    sql`select
      (select sum(amount)::text from analytics_invoice_records where contractor_id = ${id}) as invoiced,
      (select sum(amount)::text from analytics_revenue_transactions where contractor_id = ${id} and type = 'payment_received') as received,
      (select sum(amount)::text from analytics_revenue_transactions where contractor_id = ${id} and type = 'refund') as refunded,
      (select sum(amount - paid_amount)::text from analytics_invoice_records where contractor_id = ${id} and status <> 'paid') as unpaid,
      (select sum(amount - paid_amount)::text from analytics_invoice_records
        where contractor_id = ${id} and status <> 'paid' and due_date < timestamptz '2026-11-20 00:00Z') as overdue`,
  )
  if (!sums) throw new Error('aggregates answer one row')
  for (const sum of Object.values(sums)) expect(sum).toMatch(/^\d{4,}\.\d\d$/)

  const flow = await answerOf(getCashFlow, { actor, now: NOW, input: { from: '2026-01-01' } })
  expect(flow.text).toContain(
    `"total":{"invoiced":${sums.invoiced},"received":${sums.received},"refunded":${sums.refunded},`,
  )
  const cents = (amounts: number[]) => amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0)
  expect(cents(flow.answer.periods.map(({ net }) => net))).toBe(cents([flow.answer.total.net]))

  const aging = { unpaid: `"unpaid":${sums.unpaid},"overdue":${sums.overdue},` }
  for (const now of [NOW, new Date('2026-12-20T00:00:00Z')]) {
    const { text, answer } = await answerOf(getReceivablesAging, { actor, now, input: { asOf: '2026-11-20' } })
    expect(text).toContain(`"total":{${aging.unpaid}`)
    const { current, days1to30, days31to60, days61to90, over90, unpaid } = answer.total
    expect(cents([current, days1to30, days31to60, days61to90, over90])).toBe(cents([unpaid]))
  }

  const project = await answerOf(getProjectFinancials, { actor, now: NOW, input: { projectId } })
  expect(project.text).toContain(`"invoiced":${sums.invoiced},"paid":${sums.received},"refunded":${sums.refunded},`)
  expect(project.text).toContain(aging.unpaid)
  expect(project.answer).toMatchObject({ more: COUNT - 25, counts: { invoices: COUNT, payments: 5_000, refunds: 200 } })
})
