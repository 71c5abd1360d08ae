import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { SCOPES } from '@/lib/auth/scopes'
import { RESOURCES } from '@/lib/resources/registry'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const BOOKS = {
  'customers.csv': 'Customer ID,Name,Phone,Address,City,State,ZIP\nC1,Dana,(615) 555-0142,12 Oak St,Nashville,TN,37201',
  'projects.csv':
    'Project ID,Customer ID,Name,Address,Description,Start Date,End Date\nP1,C1,Roof,12 Oak St,28 squares,2024-01-02,2024-02-03',
  'invoices.csv':
    'Invoice Number,Project ID,Amount,Date,Due Date,Paid Date\nI1,P1,100.10,2024-01-05,2024-02-05,\nI2,P1,50,2024-01-05,,2024-03-01',
  'payments.csv': 'Payment ID,Invoice Number,Amount,Date\nT1,I1,60.05,2024-01-09',
  'estimates.csv': 'Estimate Number,Customer ID,Amount,Date\nE1,C1,100,2023-12-01',
}

async function tenantWithBooks() {
  const tenant = await makeTenant(db)
  expect((await tenant.load(BOOKS)).faults).toEqual([])
  const { text: sender } = await tenant.key(['write:leads'])
  const lead = { firstName: 'Ana', lastName: 'Ruiz', email: 'ana@example.com', leadSource: 'Angi', externalId: 'x-1' }
  const headers = { 'content-type': 'application/json' }
  const sent = await call('/api/webhooks/leads/inbound', {
    key: sender,
    method: 'POST',
    headers,
    body: JSON.stringify(lead),
  })
  expect(sent.status).toBe(201)
  return { ...tenant, secret: (await tenant.key()).text, leadId: String(sent.body.projectId) }
}

const itemsOf = async (path: string, key: string) => (await call(path, { key })).body.items

test('include=details adds what is stored, and only then', async () => {
  const { secret, leadId } = await tenantWithBooks()
  const of = async (name: string) => {
    const [plain, detailed] = [
      await itemsOf(`/api/v1/${name}`, secret),
      await itemsOf(`/api/v1/${name}?include=details`, secret),
    ]
    const more = detailed.map((item: object, i: number) =>
      Object.fromEntries(Object.entries(item).filter(([field]) => !(field in plain[i]))),
    )
    expect(detailed.map((item: object, i: number) => ({ ...item, ...plain[i] }))).toEqual(detailed)
    return more
  }
  const address = { address: '12 Oak St', city: 'Nashville', state: 'TN', zip: '37201' }
  expect(await of('customers')).toEqual([{ sourceReference: 'C1', phoneRaw: '(615) 555-0142', ...address }, {}])
  expect(await of('projects')).toEqual([
    {
      sourceReference: 'P1',
      address: '12 Oak St',
      description: '28 squares',
      startDate: '2024-01-02',
      endDate: '2024-02-03',
    },
    {
      jobNumber: 1,
      lead: {
        source: 'inbound',
        category: 'angi',
        leadSource: 'Angi',
        externalId: 'x-1',
        matchedBy: 'new',
        receivedAt: expect.any(String),
      },
      contact: { firstName: 'Ana', lastName: 'Ruiz', email: 'ana@example.com' },
    },
  ])
  const NOTHING = { creditedAmount: 0, refundedAmount: 0, retainage: 0, reversedAmount: 0, writtenOffAmount: 0 }
  const invoices = await of('invoices')
  expect(invoices).toHaveLength(2)
  expect(invoices).toContainEqual({ ...NOTHING, sourceReference: 'I1', paidAmount: 60.05, balance: 40.05 })
  expect(invoices).toContainEqual({
    ...NOTHING,
    sourceReference: 'I2',
    paidAmount: 0,
    balance: 0,
    paidAt: '2024-03-01T00:00:00.000Z',
  })
  const [payment] = await of('payments')
  const { items } = (await call('/api/v1/invoices', { key: secret })).body
  const [{ id: invoiceId }] = items.filter(({ number }: { number: string }) => number === 'I1')
  expect(payment).toEqual({ sourceReference: 'T1', type: 'payment_received', invoiceId })
  expect(await of('estimates')).toEqual([{ sourceReference: 'E1' }])

  // A CRM fetches the lead it was sent, as a record, in the feed and in an export.
  const one = await call(`/api/v1/projects/${leadId}?include=details`, { key: secret })
  expect(one.body.contact.email).toBe('ana@example.com')
  const begun = (await call('/api/v1/changes', { key: secret })).body.cursor
  await db.run({ name: 'raise', text: 'update projects set total_amount = 5 where id = $1' }, [leadId])
  const [change] = await itemsOf(`/api/v1/changes?include=details&cursor=${begun}`, secret)
  expect(change.record).toEqual({ ...one.body, totalAmount: 5, updatedAt: change.updatedAt })
  const [plain] = await itemsOf(`/api/v1/changes?cursor=${begun}`, secret)
  expect(plain.record).not.toHaveProperty('lead')
  const lines = (await call('/api/v1/export/projects?include=details', { key: secret })).text.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(change.record)
  const csv = (await call('/api/v1/export/projects?include=details&format=csv', { key: secret })).text
  const rows = parse<Record<string, string>>(csv, { columns: true })
  expect(rows.find(({ id }) => id === leadId)).toMatchObject({
    jobNumber: '1',
    contact: expect.stringContaining('"Ana"'),
  })
})

test('a lead’s contact needs read:customers; another value of include is 400; /metadata names the details', async () => {
  const { key, leadId, secret } = await tenantWithBooks()
  const { text: lacking } = await key(SCOPES.filter((scope) => scope !== 'read:customers' && scope.startsWith('read:')))
  const { body } = await call(`/api/v1/projects/${leadId}?include=details`, { key: lacking })
  expect(body.lead).toMatchObject({ externalId: 'x-1' })
  expect(JSON.stringify(body)).not.toContain('ana@example.com')
  expect((await call('/api/v1/projects?include=all', { key: secret })).status).toBe(400)
  const described = (await call('/api/v1/metadata', { key: secret })).body
  for (const { name, details } of RESOURCES) {
    const told = described.resources.find((each: { name: string }) => each.name === name)
    expect(told.details.map((each: { name: string }) => each.name)).toEqual(Object.keys(details))
    expect(told.query).toContain('include')
  }
})
