import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { execute } from '@/lib/operations/execute'
import { loadFolder } from '@/lib/operations/loads/load-folder'
import { getLastLoad, undoLoad } from '@/lib/operations/loads/undo-load'
import { booksOf } from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { jobberInvoices, qboInvoices, qboTransactions } from '@/lib/testing/exports'
import { inFolder } from '@/lib/testing/folder'
import { makeTenant } from '@/lib/testing/tenant'
import type { LoadReport } from './report'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const COMPLETE = { complete: { delete: true, mostPercent: 50 } }
const [ACRE, MOSS, REED] = [
  '08/14/2025 | Invoice | 1 | Acre | | 30.00 | 30.00',
  '08/15/2025 | Invoice | 2 | Moss | | 20.00 | 20.00',
  '09/16/2025 | Invoice | 3 | Reed | | 10.00 | 10.00',
]

const removals = ({ files }: LoadReport) => files.flatMap(({ file, removal }) => (removal ? [[file, removal]] : []))
const recordsOf = async (contractorId: string) => {
  const found = await rows<{ name: string }>(
    db.orm,
    sql`select number as name from analytics_invoice_records where contractor_id = ${contractorId}
      union all select name from projects where contractor_id = ${contractorId} order by 1`,
  )
  return found.map(({ name }) => name)
}

test('a complete export deletes what its source no longer has, with the project that the invoice made; other sources stay; it is taken back', async () => {
  const { contractor, load, operator: actor } = await makeTenant(db)
  const caller = { actor, now: new Date() }
  await load({ 'jobber.csv': jobberInvoices('1 | Acre | 2025-08-20 | 2025-09-20 | | Sent | 5.00 | 5.00') })
  await load({ 'list.csv': qboInvoices(ACRE, MOSS, REED) })
  const before = await booksOf(db, contractor.id)
  const list = { 'list.csv': qboInvoices(ACRE, REED) }
  const counted = await load(list, { complete: { delete: false } })
  const missing = { stored: 3, missing: 1, deleted: 0, kept: 0 }
  expect(removals(counted)).toEqual([['list.csv (invoices)', { ...missing, refusal: expect.stringContaining('34%') }]])
  const look = await load(list, { ...COMPLETE, dryRun: true })
  const real = await inFolder(list, (folder) => execute(loadFolder, caller, { folder, ...COMPLETE }))
  expect(removals(real)).toEqual([['list.csv (invoices)', { ...missing, deleted: 1, refusal: null }]])
  const august = { file: 'list.csv', month: '2025-08', currency: 'USD', stored: '55.00', after: '35.00' }
  expect([look.reconciliation?.months, real.reconciliation?.months]).toEqual([[august], [august]])
  expect(await recordsOf(contractor.id)).toEqual(['1', '1', '3', 'Invoice 1', 'Invoice 1', 'Invoice 3'])
  const { last } = await execute(getLastLoad, caller, {})
  await execute(undoLoad, caller, { load: last?.load ?? '' })
  expect(await booksOf(db, contractor.id)).toEqual(before)
})

test('our own complete files delete nothing of exports, and what a payment belongs to is kept under its number', async () => {
  const { contractor, load } = await makeTenant(db)
  await load({
    'list.csv': qboInvoices(ACRE, MOSS.replace(/20\.00$/, '0.00')),
    't.csv': qboTransactions('08/20/2025 | Payment | 9 | Moss | | 20.00'),
  })
  const own = { 'invoices.csv': 'Invoice ID,Project ID,Amount,Invoice Date\n' }
  expect(removals(await load(own, COMPLETE))).toMatchObject([['invoices.csv', { stored: 0, missing: 0 }]])
  const report = await load({ 'list.csv': qboInvoices(ACRE) }, COMPLETE)
  expect(removals(report)).toMatchObject([['list.csv (invoices)', { missing: 1, deleted: 0, kept: 1 }]])
  expect(report.faults).toMatchObject([{ file: 'list.csv', value: '2', reason: expect.stringContaining('is kept') }])
  expect(await recordsOf(contractor.id)).toContain('2')
})

test('a report about a period is complete of its days only, and one of what is open never', async () => {
  const { contractor, load } = await makeTenant(db)
  await load({ 'list.csv': qboInvoices(ACRE, MOSS, REED) })
  const august = `Invoice List,,,,,,\n"August 1 - August 31, 2025",,,,,,\n${qboInvoices(MOSS)}`
  const aging = `A/R Aging Detail,,,,,,\n${qboInvoices(MOSS).replace('Name', 'Customer')}`
  expect(removals(await load({ 'aging.csv': aging }, COMPLETE))[0]).toMatchObject([
    'aging.csv (invoices)',
    { deleted: 0, refusal: expect.stringContaining('only what is open') },
  ])
  expect(removals(await load({ 'list.csv': august }, COMPLETE))).toMatchObject([
    ['list.csv (invoices)', { stored: 2, missing: 1, deleted: 1 }],
  ])
  expect(await recordsOf(contractor.id)).toEqual(['2', '3', 'Invoice 2', 'Invoice 3'])
})
