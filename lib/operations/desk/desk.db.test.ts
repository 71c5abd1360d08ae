import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { makeMember, openPeopleDatabase } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'
import { addProjectNote } from '../entries/add-project-note'
import { execute } from '../execute'
import { viewCustomer } from './view-customer'
import { viewInvoice, viewPayment } from './view-invoice'
import { viewLead, viewProject } from './view-project'
import { views } from './view-record'

const viewEstimate = views.get('estimates') as NonNullable<ReturnType<typeof views.get>>

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

const now = new Date()
const BOOKS = {
  'customers.csv':
    'Customer ID,Name,Email,Phone,Address,City\nC1,Dana Whitfield,dana@example.com,615-555-0142,12 Oak St,Franklin\n',
  'projects.csv': 'Project ID,Customer ID,Name,Total Amount\nP1,C1,Roof,1000.00\nP2,C1,Shed,50\n',
  'invoices.csv': `Invoice Number,Project ID,Amount,Date,Due Date,Retainage
I1,P1,400.00,2024-09-01,2024-10-01,40.00
I2,P2,25.00,2024-09-01,2024-10-01,
I3,P1,100.00,2099-09-01,2099-10-01,
`,
  'payments.csv': `Payment ID,Project ID,Invoice Number,Amount,Date,Type
T1,P1,I1,150.00,2024-09-20,payment
T2,P1,I1,10.00,2024-09-25,refund
T3,P1,I1,20.00,2024-09-26,credit
T4,P1,I1,30.00,2099-01-01,payment
T5,P2,,25.00,2024-10-05,payment
`,
  'estimates.csv':
    'Estimate Number,Customer ID,Project ID,Amount,Date,Status\nE1,C1,P1,1000,2024-08-01,accepted\nE2,C1,,5,2024-08-02,sent\n',
}

async function books() {
  const { contractor, load, key } = await makeTenant(db)
  expect((await load(BOOKS)).faults).toEqual([])
  const ctx = { actor: await makeMember(db, contractor.id, 'viewer'), now }
  const idOf = async (table: string, reference: string) => {
    const found = sql`select id from ${sql.identifier(table)} where contractor_id = ${contractor.id} and source_reference = ${reference}`
    return (await rows<{ id: string }>(db.orm, found))[0]?.id ?? ''
  }
  return { contractor, key, ctx, idOf }
}

test('a customer is an account: contact, balance and all that belongs to them', async () => {
  const { contractor, ctx, idOf } = await books()
  const [id, projectId] = [await idOf('users', 'C1'), await idOf('projects', 'P1')]
  const admin = { actor: await makeMember(db, contractor.id), now }
  await execute(addProjectNote, admin, { projectId, text: 'Gate code changed', idempotencyKey: 'note-of-desk' })
  const found = await execute(viewCustomer, ctx, { id })
  expect(found.record).toMatchObject({ name: 'Dana Whitfield', address: '12 Oak St', city: 'Franklin', unpaid: 225 })
  expect(found.balance).toMatchObject([{ currency: 'USD', unpaid: 225, overdue: 225, future: 100, unapplied: 25 }])
  expect(found.invoices).toMatchObject({ count: 3, total: [{ amount: 525, unpaid: 225 }] })
  expect(found.invoices.items.map(({ number }) => number)).toEqual(['I3', expect.any(String), expect.any(String)])
  expect([found.payments.count, found.projects.count, found.estimates.count, found.leads.count]).toEqual([3, 2, 2, 0])
  expect(found.entries).toMatchObject({ count: 1, items: [{ text: 'Gate code changed', project: 'Roof' }] })
})

test('an invoice has what was paid, credited and given back on it; a payment what it was applied to', async () => {
  const { ctx, idOf } = await books()
  const id = await idOf('analytics_invoice_records', 'I1')
  const invoice = await execute(viewInvoice, ctx, { id })
  expect(invoice.record).toMatchObject({ number: 'I1', amount: 400, balance: 240, unpaid: 200, retainage: 40 })
  expect(invoice).toMatchObject({ customer: { name: 'Dana Whitfield' }, project: { name: 'Roof' } })
  expect(invoice.timeline.map(({ type, date, amount, ahead }) => [type, date, amount, ahead])).toEqual([
    ['payment_received', '2024-09-20', 150, false],
    ['refund', '2024-09-25', 10, false],
    ['adjustment', '2024-09-26', 20, false],
    ['payment_received', '2099-01-01', 30, true],
  ])
  const named = await execute(viewPayment, ctx, { id: await idOf('analytics_revenue_transactions', 'T1') })
  expect(named).toMatchObject({ record: { amount: 150 }, invoice: { id, balance: 240 }, allocations: [] })
  const looseId = await idOf('analytics_revenue_transactions', 'T5')
  for (const [to, amount] of [
    [await idOf('analytics_invoice_records', 'I2'), 25],
    [null, -25],
  ] as const)
    await rows(
      db.orm,
      sql`insert into analytics_revenue_transactions (id, contractor_id, project_id, customer_id, invoice_id, type, amount, currency, date, method, reference)
        select id || ${String(to)}, contractor_id, project_id, customer_id, ${to}, 'allocation', ${amount}::numeric, currency, date, method, id
        from analytics_revenue_transactions where id = ${looseId}`,
    )
  const loose = await execute(viewPayment, ctx, { id: looseId })
  expect(loose.invoice).toBeNull()
  expect(loose.allocations.toSorted((a, b) => a.amount - b.amount)).toMatchObject([
    { amount: -25, paymentId: looseId },
    { amount: 25, invoiceNumber: 'I2', paymentId: looseId },
  ])
})

test('a project has its money, an estimate and a lead what they became', async () => {
  const { key, ctx, idOf } = await books()
  const id = await idOf('projects', 'P1')
  const project = await execute(viewProject, ctx, { id })
  expect(project.money).toMatchObject({
    billed: 400,
    scheduled: 100,
    leftToBill: 600,
    unpaid: 200,
    paid: 150,
    refunded: 10,
  })
  expect(project).toMatchObject({
    customer: { name: 'Dana Whitfield' },
    lead: null,
    invoices: { count: 2 },
    payments: { count: 2 },
    estimates: { count: 1 },
  })
  const estimate = await execute(viewEstimate, ctx, { id: await idOf('estimates', 'E1') })
  expect(estimate).toMatchObject({ record: { number: 'E1' }, project: { id }, others: { count: 1 } })
  const other = await execute(viewEstimate, ctx, { id: await idOf('estimates', 'E2') })
  expect(other).toMatchObject({ project: null, others: { count: 2 } })

  const { text } = await key(['write:leads'])
  const body = JSON.stringify({ firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0999', leadSource: 'Referral' })
  const headers = { 'content-type': 'application/json' }
  const sent = await call('/api/webhooks/leads/inbound', { key: text, method: 'POST', headers, body })
  const lead = await execute(viewLead, ctx, { id: sent.body.projectId })
  expect(lead).toMatchObject({ lead: { name: 'Ana Lopez', source: 'Referral' }, customer: { name: 'Ana Lopez' } })
})

test('another contractor’s records are not there', async () => {
  const [own, other] = [await books(), await books()]
  for (const [operation, table, reference] of [
    [viewCustomer, 'users', 'C1'],
    [viewInvoice, 'analytics_invoice_records', 'I1'],
    [viewPayment, 'analytics_revenue_transactions', 'T1'],
    [viewProject, 'projects', 'P1'],
    [viewEstimate, 'estimates', 'E1'],
    [viewLead, 'projects', 'P1'],
  ] as const) {
    const id = await own.idOf(table, reference)
    const asked = execute(operation, other.ctx, () => ({ values: { id }, whole: 'input' }), 'text')
    await expect(asked, operation.name).rejects.toMatchObject({ code: 'not_found' })
  }
})
