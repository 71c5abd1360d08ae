import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { execute } from '@/lib/operations/execute'
import { loadFolder } from '@/lib/operations/loads/load-folder'
import { getLastLoad, undoLoad } from '@/lib/operations/loads/undo-load'
import { booksOf, FIRST_MONTH, SECOND_MONTH } from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { inFolder } from '@/lib/testing/folder'
import { makeTenant } from '@/lib/testing/tenant'
import type { LoadOptions, LoadReport } from '../report'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

/** Returns every row of every table, by table. */
async function everything(): Promise<string> {
  const tables = await rows<{ name: string }>(
    db.orm,
    sql`select relname::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const all: string[] = []
  for (const { name } of tables) {
    const [row] = await rows<{ text: string }>(
      db.orm,
      sql`select coalesce(string_agg(t::text, '|' order by t::text), '') as text from ${sql.identifier(name)} t`,
    )
    all.push(`${name}: ${row?.text}`)
  }
  return all.join('\n')
}

const told = ({ files, faults, contradictions }: LoadReport) => ({
  files: files.map(({ removal, ...file }) => ({ ...file, missing: removal?.missing, refusal: removal?.refusal })),
  faults: faults.filter(({ reason }) => !reason.startsWith('is not in the file, but is kept')),
  notes: contradictions?.filter(({ line }) => line !== null),
})

async function monthsOf(contractorId: string) {
  const found = await rows<{ file: string; month: string; currency: string; after: string }>(
    db.orm,
    sql`select 'invoices.csv' as file, to_char(invoice_date, 'YYYY-MM') as month, currency, sum(amount)::text as after
        from analytics_invoice_records where contractor_id = ${contractorId} group by 1, 2, 3
      union all select 'payments.csv', to_char(date, 'YYYY-MM'), currency, sum(amount)::text
        from analytics_revenue_transactions where contractor_id = ${contractorId} and type = 'payment_received' group by 1, 2, 3`,
  )
  return new Map(found.map(({ file, month, currency, after }) => [`${file} ${month} ${currency}`, after]))
}

const WAYS: [string, LoadOptions][] = [
  ['as they are', {}],
  ['complete', { complete: { delete: true, mostPercent: 100 } }],
]

test.each(WAYS)('a dry run of files %s tells what the load then does, and writes nothing', async (_, options) => {
  const { contractor, load } = await makeTenant(db)
  for (const files of [FIRST_MONTH, SECOND_MONTH, SECOND_MONTH]) {
    const before = await everything()
    const dry = await load(files, { ...options, dryRun: true })
    expect(await everything()).toBe(before)
    const stored = await monthsOf(contractor.id)
    const real = await load(files, options)
    expect(told(dry)).toEqual(told(real))
    const after = await monthsOf(contractor.id)
    const { months = [] } = dry.reconciliation ?? {}
    expect(real.reconciliation?.months).toEqual(months)
    for (const { file, month, currency, ...total } of months) {
      const key = `${file} ${month} ${currency}`
      expect([key, total]).toEqual([key, { stored: stored.get(key) ?? '0.00', after: after.get(key) ?? '0.00' }])
    }
    const named = new Set(months.map(({ file, month, currency }) => `${file} ${month} ${currency}`))
    for (const [key, sum] of after) if (stored.get(key) !== sum) expect(named).toContain(key)
  }
})

/** Exports whose payments name an invoice, several, or none; they name customers and projects of each other. */
const EXPORTS = ['jobber-clients.csv', 'jobber-invoices.csv', 'jobber-transactions.csv', 'qbo-transaction-list.csv']
const FIXTURES = join(process.cwd(), 'public', 'samples')

/** Sums of months, whatever file they are of. */
function byMonth(sums: [month: string, sum: string][]): Map<string, number> {
  const months = new Map<string, number>()
  for (const [month, sum] of sums) months.set(month, (months.get(month) ?? 0) + Number(sum))
  return months
}

test('a dry run of exports tells what the load then does, writes nothing, and says what it cannot tell; the load is taken back', async () => {
  const { contractor, operator: actor } = await makeTenant(db)
  const caller = { actor, now: new Date() }
  const texts = Object.fromEntries(EXPORTS.map((name) => [name, readFileSync(join(FIXTURES, name), 'utf8')]))
  const load = (dryRun: boolean) => inFolder(texts, (folder) => execute(loadFolder, caller, { folder, dryRun }))
  const both = async () => {
    const before = await everything()
    const dry = await load(true)
    expect(await everything()).toBe(before)
    const real = await load(false)
    const compared = ({ files, faults, sources }: LoadReport) => ({ files, faults, sources })
    expect(compared(dry)).toEqual(compared(real))
    return { dry, real }
  }
  const empty = await booksOf(db, contractor.id)
  const { dry, real } = await both()
  expect(real.reconciliation?.months).toEqual(dry.reconciliation?.months)
  const sums = [...(await monthsOf(contractor.id))].map(([key, sum]): [string, string] => [
    key.split(' ')[1] ?? '',
    sum,
  ])
  expect(byMonth(dry.reconciliation?.months.map(({ month, after }): [string, string] => [month, after]) ?? [])).toEqual(
    byMonth(sums),
  )
  const unsaid = dry.contradictions?.filter(({ reason }) => reason.includes('a dry run cannot tell')) ?? []
  expect(unsaid.map(({ file }) => file)).toEqual(['qbo-transaction-list.csv (payments)'])
  const { last } = await execute(getLastLoad, caller, {})
  expect(last?.files.toSorted()).toEqual(EXPORTS)
  await execute(undoLoad, caller, { load: last?.load ?? '' })
  expect(await booksOf(db, contractor.id)).toEqual(empty)
  await load(false)
  const again = await both()
  expect(again.dry.contradictions).toEqual(again.real.contradictions)
  expect(again.dry.reconciliation?.months).toEqual([])
})

test('a statement that writes is refused by the database during a dry run', async () => {
  const { contractor } = await makeTenant(db)
  const { withinContractor } = await import('@/db/client')
  await expect(
    withinContractor(db.orm, contractor.id, (orm) => orm.execute(sql`delete from users`), { readOnly: true }),
  ).rejects.toMatchObject({ cause: { code: '25006' } })
})
