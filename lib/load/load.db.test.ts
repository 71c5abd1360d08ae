import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { loadFolder } from '@/lib/load/load'
import { openTestDatabase } from '@/lib/testing/database'
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
  expect(first.files.map(({ added }) => added)).toEqual(Object.keys(files).map(() => 1_100))
  expect(first.faultCount).toBe(0)
  const before = await stamps(tenant.contractor.id)

  const second = await tenant.load(files)
  expect(second.files.map(({ added, updated, unchanged }) => [added, updated, unchanged])).toEqual(
    Object.keys(files).map(() => [0, 0, 1_100]),
  )
  expect(await stamps(tenant.contractor.id)).toEqual(before)

  const third = await tenant.load({ 'invoices.csv': files['invoices.csv']?.replace('I7,P7,8.25', 'I7,P7,9.99') ?? '' })
  expect(third.files[0]).toMatchObject({ added: 0, updated: 1, unchanged: 1_099 })
  const after = await stamps(tenant.contractor.id)
  expect(after.filter(({ at }, i) => at !== before[i]?.at)).toHaveLength(1)
})

test('a messy file: good rows are loaded, each bad one is reported with line, field and reason', async () => {
  const tenant = await makeTenant(db)
  const report = await tenant.load({
    'CUSTOMERS.CSV':
      '\ufeff customer id ,NAME,Email,Fax\r\nC1,"Smith, ""Bo""",Bo@Example.COM,1\r\nC2,"Two\r\nlines",,\r\nC1,Again,,\r\n,Nobody,,\r\nC3,Bad,x@@y,\r\nC4,Ctl\u0001,,\r\nC5,Good,,\r\n',
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

test('a file without a required column, an empty file, and a folder without files are refused completely', async () => {
  const tenant = await makeTenant(db)
  const report = await tenant.load({
    'customers.csv': 'Customer ID,Email\nC1,a@example.com\n',
    'projects.csv': '',
    'invoices.csv': 'Invoice Number,Invoice,Project ID,Amount,Date\n',
    'payments.csv': 'a,'.repeat(600),
    'materials.csv': ','.repeat(1_500_000),
  })
  expect(report.faults.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('column Name is missing'),
    expect.stringContaining('empty'),
    expect.stringContaining('mean the same'),
    expect.stringContaining('has more than 512 columns'),
    expect.stringContaining('longer than 131,072 characters. Nothing from line 1 on'),
  ])
  await expect(tenant.load({ 'notes.txt': 'x' })).rejects.toThrow('contains none of')
})

test('a missing column keeps the stored value; a blank cell clears it', async () => {
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

test('a short row, or several rows joined by a stray quote, write and clear nothing', async () => {
  const tenant = await makeTenant(db)
  const files = { 'customers.csv': 'Customer ID,Name,Email\nC1,A,a@example.com\nC2,B,b@example.com\n' }
  await tenant.load(files)
  const before = await stamps(tenant.contractor.id)
  const report = await tenant.load({
    'customers.csv': 'Customer ID,Name,Email\nC1,A\nC2,"B,\nC3,"C",\nC4,D,\nC5,"E,\nC6,F,\n',
  })
  expect(report.files).toMatchObject([{ rows: 3, added: 1, refused: 2 }])
  expect(report.faults.map(({ line }) => line)).toEqual([2, 3, 6])
  expect(report.files[0]?.problem).toContain('Nothing from line 6 on')
  expect((await stamps(tenant.contractor.id)).filter(({ id }) => before.some((old) => old.id === id))).toEqual(before)
})

test('all errors of a row are reported at once, in file order, including those that need the database', async () => {
  const tenant = await makeTenant(db)
  const other = await makeTenant(db)
  await other.load({ 'customers.csv': 'Customer ID,Name\nC1,A\n' })
  const report = await tenant.load({
    'projects.csv': 'Project ID,Customer ID,Name,Status\nP1,C1,,flying\nP1,C1,A\nP2,,A,\n',
  })
  expect(report.faults.map(({ line, field, value }) => [line, field, value])).toEqual([
    [2, 'Name', ''],
    [2, 'Status', 'flying'],
    [2, 'Customer ID', 'C1'],
    [3, null, null],
    [4, 'Customer ID', ''],
  ])
})

test('the first row with a reference keeps it, even if it is refused', async () => {
  const tenant = await makeTenant(db)
  const report = await tenant.load({ 'customers.csv': 'Customer ID,Name,Email\nC1,A,x@@y\nC1,B,\nC1,,\n' })
  expect(report.files).toMatchObject([{ rows: 3, added: 0, refused: 3 }])
  expect(report.faults.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'is not an email address'],
    [3, 'is already used on line 2'],
    [4, 'is blank'],
    [4, 'is already used on line 2'],
  ])
})

test('a caller may follow every slice and every fault', async () => {
  const tenant = await makeTenant(db)
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-load-'))
  const lines = Array.from({ length: 1_200 }, (_, i) => `C${i},A,${i < 1_100 ? 'x@@y' : ''}\n`)
  writeFileSync(join(folder, 'customers.csv'), `Customer ID,Name,Email\n${lines.join('')}`)
  const [seen, heard]: [number[], number[]] = [[], []]
  const report = await loadFolder(db, tenant.contractor, folder, {
    onProgress: (file) => seen.push(file.rows),
    onFault: ({ line }) => heard.push(line ?? 0),
  })
  rmSync(folder, { recursive: true })
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
  expect(seen.length).toBeGreaterThan(2)
  expect(seen.at(-1)).toBe(1_200)
  expect(heard).toEqual(Array.from({ length: 1_100 }, (_, i) => i + 2))
  expect([report.faults.length, report.faultCount, report.files[0]?.added]).toEqual([1_000, 1_100, 100])
})
