import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const stamps = (contractorId: string) =>
  rows<{ id: string; at: string }>(
    db.orm,
    sql`select id, updated_at::text as at from users where contractor_id = ${contractorId}
      union all select id, updated_at::text from projects where contractor_id = ${contractorId}
      union all select id, updated_at::text from analytics_invoice_records where contractor_id = ${contractorId}
      union all select id, updated_at::text from analytics_revenue_transactions where contractor_id = ${contractorId} order by 1`,
  )

test('a second load changes nothing; a changed row is an update that bumps updatedAt', async () => {
  const tenant = await makeTenant(db)
  const files = sampleBooks(1_100)
  const first = await tenant.load(files)
  expect(first.files.map(({ added }) => added)).toEqual([1_100, 1_100, 1_100, 1_100])
  expect(first.faultCount).toBe(0)
  const before = await stamps(tenant.contractor.id)

  const second = await tenant.load(files)
  expect(second.files.map(({ added, updated, unchanged }) => [added, updated, unchanged])).toEqual(
    Array(4).fill([0, 0, 1_100]),
  )
  expect(await stamps(tenant.contractor.id)).toEqual(before)

  const third = await tenant.load({ 'invoices.csv': files['invoices.csv']?.replace('I7,P7,8.25', 'I7,P7,9.99') ?? '' })
  expect(third.files[0]).toMatchObject({ added: 0, updated: 1, unchanged: 1_099 })
  const after = await stamps(tenant.contractor.id)
  expect(after.filter(({ at }, i) => at !== before[i]?.at)).toHaveLength(1)
})

test('a messy file: good rows go in, each bad one is named with line, field and reason', async () => {
  const tenant = await makeTenant(db)
  const report = await tenant.load({
    'CUSTOMERS.CSV':
      '\ufeff customer id ,NAME,E-mail,Fax\r\nC1,"Smith, ""Bo""",Bo@Example.COM,1\r\nC2,"Two\r\nlines",,\r\nC1,Again,,\r\n,Nobody,,\r\nC3,Bad,x@@y,\r\nC4,Ctl\u0001,,\r\nC5,Good,,\r\n',
    'projects.csv':
      'Project ID,Customer ID,Name,Status,Total Amount\nP1,C1,6" gutter,In Progress,"$1,250.00"\nP2,NOPE,Roof,lead,1\nP3,C1,Roof,flying,1.234\n',
    'payments.csv':
      'Payment ID,Project ID,Amount,Date,Type\nT1,P1,0,1/2/24,\nT2,P1,-5,1/2/24,payment\nT3,,5,1/2/24,\nT4,P1,5,2/30/24,\nT5,P1,5,1/2/24,,extra\nT6,P1,"($5.00)",1/2/24,adjustment\n',
  })
  expect(report.files).toMatchObject([
    { file: 'customers.csv', rows: 7, added: 3, refused: 4, ignored: ['Fax'] },
    { file: 'projects.csv', rows: 3, added: 1, refused: 2 },
    { file: 'payments.csv', rows: 6, added: 1, refused: 5 },
  ])
  expect(report.faults.map(({ file, line, field }) => `${file}:${line} ${field}`).sort()).toEqual([
    'customers.csv:5 Customer ID',
    'customers.csv:6 Customer ID',
    'customers.csv:7 Email',
    'customers.csv:8 Name',
    'payments.csv:2 Amount',
    'payments.csv:3 Amount',
    'payments.csv:4 Project ID',
    'payments.csv:5 Date',
    'payments.csv:6 null',
    'projects.csv:3 Customer ID',
    'projects.csv:4 Status',
    'projects.csv:4 Total Amount',
  ])
  expect(report.faults.find(({ line, file }) => line === 5 && file === 'customers.csv')?.reason).toBe(
    'is already used on line 2',
  )
  expect(report.customersWithoutProject).toBe(2)
  const [bo] = await rows<{ name: string; email: string }>(
    db.orm,
    sql`select name, email from users where contractor_id = ${tenant.contractor.id} and source_reference = 'C1'`,
  )
  expect(bo).toEqual({ name: 'Smith, "Bo"', email: 'bo@example.com' })
})

test('a file without a needed column, an empty one, and a folder without files are refused whole', async () => {
  const tenant = await makeTenant(db)
  const report = await tenant.load({
    'customers.csv': 'Customer ID,Email\nC1,a@example.com\n',
    'projects.csv': '',
    'invoices.csv': 'Invoice Number,Invoice,Project ID,Amount,Date\n',
  })
  expect(report.faults.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('column Name is missing'),
    expect.stringContaining('empty'),
    expect.stringContaining('mean the same'),
  ])
  await expect(tenant.load({ 'notes.txt': 'x' })).rejects.toThrow('holds none of')
})

test('ids: the project and the millisecond of creation, successive when several share it, kept for ever', async () => {
  const tenant = await makeTenant(db)
  const base = {
    'customers.csv': 'Customer ID,Name\nC1,A\n',
    'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,A\nP2,C1,B\n',
  }
  const line = (n: number, project: string) => `I${n},${project},10,2024-01-05,2024-01-05\n`
  const header = 'Invoice Number,Project ID,Amount,Date,Created\n'
  const idOf = async (n: number) =>
    (
      await rows<{ id: string }>(
        db.orm,
        sql`select id from analytics_invoice_records where contractor_id = ${tenant.contractor.id} and source_reference = ${`I${n}`}`,
      )
    )[0]?.id ?? ''
  await tenant.load({ ...base, 'invoices.csv': header + line(1, 'P1') + line(2, 'P1') })
  await tenant.load({ 'invoices.csv': header + line(3, 'P1') })
  const ms = Date.parse('2024-01-05T00:00:00Z')
  const project = (await idOf(1)).replace(/^inv_(.*)_\d+$/, '$1')
  expect([await idOf(1), await idOf(2), await idOf(3)]).toEqual([0, 1, 2].map((i) => `inv_${project}_${ms + i}`))

  // Moved to another project it keeps its id, and nobody is given that id again.
  await tenant.load({ 'invoices.csv': header + line(3, 'P2') + line(4, 'P1') + line(5, 'P2') })
  expect(await idOf(3)).toBe(`inv_${project}_${ms + 2}`)
  expect(await idOf(4)).toBe(`inv_${project}_${ms + 3}`)
  expect(await idOf(5)).toMatch(new RegExp(`_${ms}$`))
})

test('two loads of the same new records at once: each record once, none lost', async () => {
  const tenant = await makeTenant(db)
  const files = sampleBooks(700)
  const reports = await Promise.all([tenant.load(files), tenant.load(files)])
  const added = reports.flatMap((report) => report.files).reduce((sum, file) => sum + file.added, 0)
  const [{ n } = { n: 0 }] = await rows<{ n: number }>(
    db.orm,
    sql`select count(distinct id)::int as n from analytics_invoice_records where contractor_id = ${tenant.contractor.id}`,
  )
  expect(n).toBe(700)
  expect(added).toBe(4 * 700)
})

test('payments settle their invoice, a refund opens it again, and the status follows', async () => {
  const tenant = await makeTenant(db)
  const status = async () =>
    (
      await rows<{ status: string }>(
        db.orm,
        sql`select status from analytics_invoice_records where contractor_id = ${tenant.contractor.id}`,
      )
    )[0]?.status
  await tenant.load({
    'customers.csv': 'Customer ID,Name\nC1,A\n',
    'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,A\nP2,C1,B\n',
    'invoices.csv': 'Invoice Number,Project ID,Amount,Date,Due Date\nI1,P1,100.00,2024-01-05,2024-02-05\n',
  })
  expect(await status()).toBe('overdue')
  const header = 'Payment ID,Invoice Number,Amount,Date,Type\n'
  await tenant.load({ 'payments.csv': `${header}T1,I1,60,2024-02-01,\n` })
  expect(await status()).toBe('overdue')
  await tenant.load({ 'payments.csv': `${header}T2,I1,40,2024-02-01,payment\n` })
  expect(await status()).toBe('paid')
  await tenant.load({ 'payments.csv': `${header}T3,I1,40,2024-02-03,refund\n` })
  expect(await status()).toBe('overdue')
  const report = await tenant.load({
    'payments.csv':
      'Payment ID,Project ID,Invoice Number,Amount,Date,Type\nT2,P1,I1,40,2024-02-01,refund\nT9,P2,I1,1,2024-02-01,\n',
  })
  expect(report.faults.map(({ field, reason }) => [field, reason])).toEqual([
    ['Type', expect.stringContaining('keeps its type')],
    ['Project ID', expect.stringContaining('not the project of this invoice')],
  ])
})

test('a column the file lacks leaves what is stored; a blank cell clears it', async () => {
  const tenant = await makeTenant(db)
  const email = async () =>
    (
      await rows<{ email: string | null }>(
        db.orm,
        sql`select email from users where contractor_id = ${tenant.contractor.id}`,
      )
    )[0]?.email
  await tenant.load({ 'customers.csv': 'Customer ID,Name,Email\nC1,A,a@example.com\n' })
  await tenant.load({ 'customers.csv': 'Customer ID,Name\nC1,B\n' })
  expect(await email()).toBe('a@example.com')
  await tenant.load({ 'customers.csv': 'Customer ID,Name,Email\nC1,B,\n' })
  expect(await email()).toBeNull()
})
