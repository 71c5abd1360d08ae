import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const BASE = {
  'customers.csv': 'Customer ID,Name\nC1,A\n',
  'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,A\nP2,C1,B\n',
}

test('ids have the project and the millisecond of creation, count up when several share it, and never change', async () => {
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

  // A record that moves to another project keeps its id, and no other record gets that id.
  await tenant.load({ 'invoices.csv': header + line(3, 'P2') + line(4, 'P1') + line(5, 'P2') })
  expect(await idOf(3)).toBe(`inv_${project}_${ms + 2}`)
  expect(await idOf(4)).toBe(`inv_${project}_${ms + 3}`)
  expect(await idOf(5)).toMatch(new RegExp(`_${ms}$`))
})

test('ids take the next free millisecond: beside existing ids, across a gap, and where the number of digits grows', async () => {
  const tenant = await makeTenant(db)
  await tenant.load(BASE)
  const header = 'Invoice Number,Project ID,Amount,Date,Created\n'
  let n = 0
  const add = async (...created: string[]) => {
    const first = n
    const lines = created.map((at) => `I${n++},P1,1,2024-01-05,${at}\n`)
    const report = await tenant.load({ 'invoices.csv': header + lines.join('') })
    expect(report.files[0]?.added).toBe(created.length)
    const found = await rows<{ id: string; n: number }>(
      db.orm,
      sql`select id, substr(source_reference, 2)::int as n from analytics_invoice_records
        where contractor_id = ${tenant.contractor.id} and substr(source_reference, 2)::int >= ${first} order by n`,
    )
    return found.map(({ id }) => Number(id.split('_').at(-1)) - Date.parse(created[0] ?? ''))
  }
  expect(await add('2024-01-05T00:00:00.001Z')).toEqual([0])
  expect(await add('2024-01-05', '2024-01-05', '2024-01-05T00:00:00.002Z')).toEqual([0, 2, 3])
  expect(await add('2024-01-05T00:00:00.200Z')).toEqual([0])
  const many = await add(...Array.from({ length: 1_100 }, () => '2024-01-05'))
  expect(many).toEqual(Array.from({ length: 1_101 }, (_, i) => i + 4).filter((ms) => ms !== 200))
  for (const day of ['2001-09-09', '1967-03-01', '1970-01-01']) {
    expect(await add(day, day)).toEqual([0, 1])
    expect(await add(day)).toEqual([2])
  }
})

test('two loads of the same new records at once add each record once', async () => {
  const tenant = await makeTenant(db)
  const files = sampleBooks(520)
  const reports = await Promise.all([tenant.load(files), tenant.load(files)])
  const added = reports.flatMap((report) => report.files).reduce((sum, file) => sum + file.added, 0)
  const [{ n } = { n: 0 }] = await rows<{ n: number }>(
    db.orm,
    sql`select count(distinct id)::int as n from analytics_invoice_records where contractor_id = ${tenant.contractor.id}`,
  )
  expect(n).toBe(520)
  expect(added).toBe(Object.keys(files).length * 520)
})

test('two loads in opposite order both succeed', async () => {
  const tenant = await makeTenant(db)
  const files = sampleBooks(520)
  await tenant.load(files)
  const changed = sampleBooks(520, 'x')
  const backwards = Object.fromEntries(
    Object.entries(sampleBooks(520, 'y')).map(([name, content]) => {
      const [header = '', ...lines] = content.split('\n')
      return [name, [header, ...lines.reverse()].join('\n')]
    }),
  )
  const reports = await Promise.all([tenant.load(changed), tenant.load(backwards)])
  expect(reports.map(({ faultCount }) => faultCount)).toEqual([0, 0])
})
