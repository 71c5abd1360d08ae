import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing'
import { loadFolder } from '@/lib/load/load'
import type { LoadOptions } from '@/lib/load/report'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const FIXTURES = join(import.meta.dirname, 'fixtures')

/** A contractor, and what loads files for it: fixtures by name, or texts. */
async function office() {
  const tenant = await makeTenant(db)
  const load = async (files: Record<string, string | Buffer>, options: LoadOptions = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-mapping-'))
    for (const [name, content] of Object.entries(files))
      if (content === '') copyFileSync(join(FIXTURES, name), join(folder, name))
      else writeFileSync(join(folder, name), content)
    try {
      return await loadFolder(db, tenant.contractor, folder, options)
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
  expect(await list('invoices?limit=100')).toHaveLength(28)
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
  const { load } = await office()
  const sheet = {
    'bills.csv': 'Customer,Invoice No,Date,Total\nAna Lopez,1,03/04/2026,10.00\nBen Hill,2,05/06/2026,20.00\n',
  }
  expect((await load(sheet, { saveMap: true })).faults[0]?.reason).toContain('--dates mdy or --dates dmy')
  expect((await load(sheet, { saveMap: true, dates: 'dmy' })).faults).toEqual([])
  expect((await load(sheet)).faults).toEqual([])
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
