import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { loadFolder } from '@/lib/load/load'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const FIXTURES = join(process.cwd(), 'public', 'samples')

/** The fixtures loaded together, what each was taken for, and the cents that `/invoices` and `/payments` then add up to. */
const CASES: [files: string[], sources: string[], invoices: number, payments: number][] = [
  [
    ['qbo-customer-contact-list.csv', 'qbo-invoice-list.csv'],
    ['QuickBooks Online Customer Contact List', 'QuickBooks Online Invoice List by Date'],
    165_000,
    0,
  ],
  [['qbo-transaction-list.csv'], ['QuickBooks Online Transaction List by Date'], 150_000, 120_000],
  [['qbo-sales-by-customer-detail.csv'], ['QuickBooks Online Sales by Customer Detail'], 100_000, 0],
  [['qbo-invoices-and-received-payments.csv'], ['QuickBooks Online Invoices and Received Payments'], 72_575, 60_000],
  [['qbo-aging-detail.csv'], ['QuickBooks Online A/R Aging Detail'], 240_000, 15_000],
  [['quickbooks-desktop.iif'], ['QuickBooks Desktop IIF'], 110_000, 110_000],
  [['xero-contacts.csv', 'xero-invoices.csv'], ['Xero Contacts', 'Xero Sales invoices'], 17_500, 0],
  [
    ['jobber-clients.csv', 'jobber-invoices.csv', 'jobber-jobs.csv', 'jobber-payments.csv'],
    ['Jobber Clients', 'Jobber Invoices', 'Jobber Jobs', 'Jobber Payments'],
    95_050,
    25_050,
  ],
  [['jobber-transactions.csv'], ['Jobber Transactions'], 50_000, 45_000],
  [['housecall-pro-jobs.csv'], ['Housecall Pro Jobs'], 102_000, 0],
  [['servicetitan-jobs.csv'], ['ServiceTitan Jobs'], 19_440, 0],
  [
    ['buildertrend-invoices.csv', 'buildertrend-payments.csv'],
    ['Buildertrend Owner invoices', 'Buildertrend Owner payments'],
    750_000,
    600_000,
  ],
  [
    ['acculynx-contacts.csv', 'acculynx-invoices.csv', 'acculynx-jobs.csv'],
    ['AccuLynx Contacts', 'AccuLynx Invoices', 'AccuLynx Jobs'],
    1_420_000,
    0,
  ],
  [['hubspot-contacts.csv', 'pipedrive-people.csv'], ['HubSpot Contacts', 'Pipedrive People'], 0, 0],
]

test.each(CASES)(
  '%j: from file to /invoices by load alone, and again without a change',
  async (files, sources, invoices, payments) => {
    const tenant = await makeTenant(db)
    const { text: key } = await tenant.key()
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-sources-'))
    for (const file of files) copyFileSync(join(FIXTURES, file), join(folder, file))
    const first = await loadFolder(db, tenant.contractor, folder)
    const second = await loadFolder(db, tenant.contractor, folder)
    rmSync(folder, { recursive: true })
    expect([first.faults, first.sources?.map(({ source }) => source)]).toEqual([[], sources])
    const sum = async (list: string) => {
      const { body } = await call(`/api/v1/${list}?limit=100`, { key })
      return Object.values<{ amount: number }[]>(body)
        .find(Array.isArray)
        ?.reduce((cents: number, { amount }: { amount: number }) => cents + Math.round(amount * 100), 0)
    }
    expect([await sum('invoices'), await sum('payments')]).toEqual([invoices, payments])
    expect(second.files.reduce((n, { added, updated }) => n + added + updated, 0)).toBe(0)
  },
)

test('a folder of all samples loads as it is, without a question', async () => {
  const { contractor } = await makeTenant(db)
  const report = await loadFolder(db, contractor, join(process.cwd(), 'public/samples'))
  expect([report.questions, report.files.filter(({ problem }) => problem !== null)]).toEqual([undefined, []])
  expect(report.files.reduce((n, { added }) => n + added, 0)).toBeGreaterThan(50)
})
