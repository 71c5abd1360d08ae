import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import writeWorkbook, { type SheetData } from 'write-excel-file/node'
import { type Database, shareDatabase } from '@/db/client'
import type { Contractor } from '@/db/queries/contractors'
import { loadFolder } from '@/lib/load/load'
import type { LoadOptions } from '@/lib/load/report'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const FIXTURES = join(import.meta.dirname, 'fixtures')

/** A contractor, and what loads files for it: fixtures by name, or texts. */
async function office(place: Partial<Contractor> = {}) {
  const tenant = await makeTenant(db)
  const contractor = { ...tenant.contractor, ...place }
  const load = async (files: Record<string, string | Buffer>, options: LoadOptions = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-mapping-'))
    for (const [name, content] of Object.entries(files))
      if (content === '') copyFileSync(join(FIXTURES, name), join(folder, name))
      else writeFileSync(join(folder, name), content)
    try {
      return await loadFolder(db, contractor, folder, options)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  const { text: key } = await tenant.key()
  const list = async (path: string) => (await call(`/api/v1/${path}`, { key })).body.items
  return { load, list }
}

const cents = (items: { amount: number }[]) => items.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)

test('a messy sheet is mapped once, and the next month’s file of its columns loads with no question', async () => {
  const { load, list } = await office()
  await expect(load({ 'job-board-september.csv': '' })).rejects.toThrow('plumbline load inspect')
  const first = await load({ 'job-board-september.csv': '' }, { saveMap: true })
  expect([first.faults, first.sources?.[0]?.source]).toEqual([[], 'Mapped invoices'])
  expect(first.sources?.[0]?.rules).toContain('Inv # fills invoices.reference.')
  expect(first.sources?.[0]?.ignored).toContain('Crew')
  const invoices = await list('invoices?limit=100')
  expect([invoices.length, cents(invoices)]).toEqual([20, 14_432_500])
  expect(await list('customers?limit=100')).toContainEqual(
    expect.objectContaining({ name: 'June Baker', phone: '+16155551007' }),
  )
  const second = await load({ 'job-board-october.csv': '' })
  expect([second.faults, second.sources?.[0]?.source]).toEqual([[], 'Mapped invoices'])
  // Ten numbers are of another customer in October, so they are other invoices.
  expect(await list('invoices?limit=100')).toHaveLength(38)
  const again = await load({ 'job-board-october.csv': '' })
  expect(again.files.reduce((n, { added, updated }) => n + added + updated, 0)).toBe(0)
})

test('a mapping is its contractor’s, is not kept by a dry run, and is replaced by another', async () => {
  const [mine, other] = [await office(), await office()]
  const sheet = { 'people.csv': 'Who;Number;Reach\nAna Lopez;17;ana@example.com\nBen Hill;18;ben@example.com\n' }
  const dry = await mine.load(sheet, { saveMap: true, dryRun: true })
  expect(dry.files.find(({ rows }) => rows > 0)?.added).toBe(2)
  await expect(mine.load(sheet)).rejects.toThrow('is not recognized')
  await mine.load(sheet, { saveMap: true, map: [{ column: 'Number', field: 'customers.reference' }] })
  expect((await mine.load(sheet)).files[0]?.unchanged).toBe(2)
  const corrected = await mine.load(sheet, { saveMap: true, map: [{ column: 'Reach', field: null }] })
  expect(corrected.sources?.[0]?.ignored).toEqual(['Reach'])
  expect((await mine.load(sheet)).sources?.[0]?.ignored).toEqual(['Reach'])
  await expect(other.load(sheet)).rejects.toThrow('is not recognized')
  await expect(mine.load(sheet, { map: [{ column: 'Nobody', field: null }] })).rejects.toThrow('Nobody')
})

test('dates that can be read both ways are asked for, and the answer is kept', async () => {
  const { load, list } = await office({ country: 'CA', timezone: 'America/Toronto', currency: 'CAD' })
  const sheet = {
    'bills.csv': 'Customer,Invoice No,Date,Total\nAna Lopez,1,03/04/2026,10.00\nBen Hill,2,05/06/2026,20.00\n',
  }
  const asked = await load(sheet, { saveMap: true })
  expect(asked.questions).toMatchObject([{ kind: 'dates', question: expect.stringContaining('Which comes first') }])
  expect(await list('customers')).toEqual([])
  expect((await load(sheet, { saveMap: true, dates: 'dmy' })).faults).toEqual([])
  const again = await load(sheet)
  expect([again.faults, again.questions]).toEqual([[], undefined])
  const dates = (await list('invoices')).map(({ date }: { date: string }) => date.slice(0, 10))
  expect(dates.sort()).toEqual(['2026-04-03', '2026-06-05'])
})

test('our own files load in another form: semicolons, UTF-16, other names', async () => {
  const { load, list } = await office()
  const customers = 'Customer ID;Name;Email\nC-1;Zoë Hill;zoe@example.com\n'
  const projects = 'Project ID\tCustomer ID\tName\nP-1\tC-1\tRoof\n'
  const report = await load({
    'customers.csv': customers,
    'projects.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(projects, 'utf16le')]),
  })
  expect([report.faults, report.files.map(({ file, added }) => [file, added])]).toEqual([
    [],
    [
      ['customers.csv', 1],
      ['projects.txt', 1],
    ],
  ])
  expect(report.sources?.map(({ source }) => source)).toEqual(['Plumbline customers.csv', 'Plumbline projects.csv'])
  expect(await list('projects')).toMatchObject([{ name: 'Roof' }])
})

test('our own columns load from a workbook as from CSV, dates and numbers of Excel included; the method stays as written', async () => {
  const { load, list } = await office()
  const days = (text: string) => ({ value: new Date(text), type: Date, format: 'm/d/yy' })
  const sheets = [
    [
      ['Customer ID', 'Name', 'Email'],
      [17, 'Ana Lopez', 'ana@example.com'],
    ],
    [
      ['Project ID', 'Customer ID', 'Name'],
      ['P-1', 17, 'Roof'],
    ],
    [
      ['Invoice Number', 'Project ID', 'Amount', 'Date'],
      [1001, 'P-1', 1250.1, days('2026-03-04')],
    ],
    [
      ['Payment ID', 'Invoice Number', 'Amount', 'Date', 'Method'],
      ['p1', 1001, 1250.1, days('2026-03-09'), 'Zelle'],
      ['p2', 1001, 10, days('2026-03-10'), 'Visa'],
    ],
  ] satisfies SheetData[]
  const names = ['people', 'jobs', 'billed', 'paid']
  const files = await Promise.all(
    sheets.map(async (sheet, i) => [`${names[i]}.xlsx`, await writeWorkbook(sheet).toBuffer()]),
  )
  const report = await load(Object.fromEntries(files))
  expect([report.faults, report.contradictions?.map(({ reason }) => reason)]).toEqual([
    [],
    [expect.stringMatching(/^is not one of card.*counts as other, and is kept as written$/)],
  ])
  expect(await list('customers')).toMatchObject([{ name: 'Ana Lopez', email: 'ana@example.com' }])
  expect(await list('invoices')).toMatchObject([{ amount: 1250.1, date: '2026-03-04T00:00:00.000Z', status: 'paid' }])
  const paid = (await list('payments')).map((each: Record<string, unknown>) => [
    each.amount,
    each.method,
    each.methodDetail,
  ])
  expect(paid.sort()).toEqual([
    [10, 'card', 'Visa'],
    [1250.1, 'other', 'Zelle'],
  ])
})

test('an export that is called as one of ours is read as what it is; two files of the same rows are refused', async () => {
  const { load } = await office()
  const export_ =
    'Invoice #,Client name,Issued date,Due date,Job #s,Status,Total ($),Balance ($)\n1,Ana Lopez,"Nov 20, 2025",-,-,Paid,10.00,0.00\n'
  expect((await load({ 'invoices.csv': export_ })).sources?.[0]?.source).toBe('Jobber Invoices')
  const twice = await load({
    'customers.csv': 'Customer ID,Name\nC-1,Ana\n',
    'customers.tsv': 'Customer ID\tName\nC-2\tBen\n',
  })
  expect(twice.faults[0]?.reason).toContain('so has another file of the folder')
  expect(twice.files.find(({ file }) => file === 'customers.csv')?.added).toBe(1)
  // One of ours that lacks a column is still told so.
  expect((await load({ 'customers.csv': 'Customer ID,Phone\nC-1,1\n' })).faults[0]?.reason).toContain(
    'The column Name is missing',
  )
})

test('a sheet of quotes that nobody saw before: each an estimate of its customer, with its job where it names one', async () => {
  const { load, list } = await office()
  const quotes = (status: string) =>
    [
      'Quote #;Client;Job Name;Qte Total;Sent On;Good Until;Outcome;Rep',
      `Q-101;Ana Hill;Kitchen;$1,200.50;06/13/2026;07/13/2999;${status};Bo`,
      'Q-102;Ben Ray;;80;06/14/2026;;Won;Bo',
      'Q-103;Ana Hill;;0.10;06/15/2026;06/30/2026;who knows;Al',
    ].join('\n')
  const asked = await load({ 'quotes.csv': quotes('Pending') }, { saveMap: true })
  expect(asked.questions).toMatchObject([{ kind: 'words', value: 'who knows', column: 'Outcome' }])
  expect(await list('estimates')).toEqual([])
  const answers = { [asked.questions?.[0]?.key ?? '']: 'draft' }
  const first = await load({ 'quotes.csv': quotes('Pending') }, { saveMap: true, answers })
  expect([first.sources?.[0]?.source, first.sources?.[0]?.ignored]).toEqual(['Mapped estimates', ['Rep']])
  expect(first.sources?.[0]?.rules).toContain('Good Until fills estimates.validUntil.')
  const byNumber = async () =>
    (await list('estimates?limit=100')).sort((a: { number: string }, b: { number: string }) =>
      a.number.localeCompare(b.number),
    )
  const stored = await byNumber()
  const [kitchen] = await list('projects?limit=100')
  expect(kitchen).toMatchObject({ name: 'Kitchen', status: 'estimate' })
  expect(stored).toMatchObject([
    { number: 'Q-101', amount: 1200.5, date: '2026-06-13T00:00:00.000Z', status: 'sent', projectId: kitchen.id },
    { number: 'Q-102', amount: 80, status: 'accepted' },
    { number: 'Q-103', amount: 0.1, status: 'draft' },
  ])
  expect(stored.map((each: object) => 'projectId' in each)).toEqual([true, false, false])
  const [ana, ben, same] = stored.map(({ customerId }: { customerId: string }) => customerId)
  expect([ana === same, ana === ben]).toEqual([true, false])
  // The next file of these columns loads with no question, and each estimate stays the same record.
  await load({ 'quotes.csv': quotes('Signed') })
  expect((await byNumber()).map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual(
    stored.map(({ id, number, status }: { id: string; number: string; status: string }) => [
      id,
      number === 'Q-101' ? 'accepted' : status,
    ]),
  )
})

test('a row is an estimate or an invoice, not both', async () => {
  const { load } = await office()
  const map = [
    { column: 'Quote', field: 'estimates.reference' },
    { column: 'Inv', field: 'invoices.reference' },
  ]
  const report = await load({ 'both.csv': 'Quote,Inv,Client,Total,Date\nQ1,I1,Ana,5,06/13/2026\n' }, { map })
  expect(JSON.stringify(report)).toContain('a row is an estimate, an invoice or a payment')
})
