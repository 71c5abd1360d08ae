import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { openPglite } from '@/db/drivers/pglite'
import { openTestDatabase } from '@/db/testing'
import { makeTenant } from '@/lib/testing/tenant'

/** The migration that brought one open amount; the version before ended with the one before. */
const OPEN_AMOUNTS = 38

/** The migrations of the version before. */
function earlierMigrations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-earlier-'))
  cpSync('db/migrations', folder, { recursive: true })
  const path = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8'))
  journal.entries = journal.entries.filter(({ idx }: { idx: number }) => idx < OPEN_AMOUNTS)
  writeFileSync(path, JSON.stringify(journal))
  return folder
}

// number, amount, date, due, paid date
const INVOICES = [
  ['open', '1000.00', '2025-01-05', '2025-02-05', ''],
  ['part', '1000.00', '2025-01-05', '2025-02-05', ''],
  ['paid', '1000.00', '2025-01-05', '2025-02-05', ''],
  ['settled', '1000.00', '2025-01-05', '2025-02-05', '2025-02-01'],
  ['back', '5000.00', '2025-01-05', '2025-02-05', ''],
  ['backSettled', '5000.00', '2025-01-05', '2025-02-05', '2025-02-01'],
  ['goodwill', '1000.00', '2025-01-05', '2025-02-05', ''],
  ['over', '1000.00', '2025-01-05', '2025-02-05', ''],
  ['discount', '1000.00', '2025-01-05', '2025-02-05', ''],
  ['foreign', '1000.00', '2025-01-05', '2025-02-05', ''],
  ['future', '1000.00', '2095-01-05', '2095-02-05', ''],
  ['current', '1000.00', '2025-01-05', '2095-02-05', ''],
  ['negative', '-200.00', '2025-01-05', '2025-02-05', ''],
] as const

// invoice, amount, type in the file, type as stored, currency
const MONEY = [
  ['part', '400.00', 'payment', 'payment_received', 'USD'],
  ['paid', '1000.00', 'payment', 'payment_received', 'USD'],
  ['back', '5000.00', 'payment', 'payment_received', 'USD'],
  ['back', '5000.00', 'refund', 'refund', 'USD'],
  ['backSettled', '5000.00', 'payment', 'payment_received', 'USD'],
  ['backSettled', '5000.00', 'refund', 'refund', 'USD'],
  ['goodwill', '1000.00', 'payment', 'payment_received', 'USD'],
  ['goodwill', '150.00', 'refund', 'refund', 'USD'],
  ['over', '1100.00', 'payment', 'payment_received', 'USD'],
  ['discount', '100.00', 'adjustment', 'adjustment', 'USD'],
  ['foreign', '1000.00', 'payment', 'payment_received', 'CAD'],
] as const

const booksOf = (db: Database, contractor: string) =>
  rows<Record<string, unknown>>(
    db.orm,
    sql`select number, status, paid_amount, refunded_amount, reversed_amount, credited_amount, written_off_amount, retainage_amount,
        open_amount, stated_balance, turns_at::text as turns_at,
        (select count(*)::int from analytics_revenue_transactions t where t.invoice_id = i.id and t.mismatched) as mismatched
      from analytics_invoice_records i where contractor_id = ${contractor} order by number`,
  )

test('books of the version before open amounts are worth the same after the upgrade as when their files are loaded afresh', {
  timeout: 180_000,
}, async () => {
  const [directory, earlier] = [mkdtempSync(join(tmpdir(), 'plumbline-upgraded-')), earlierMigrations()]
  const before = await openPglite(directory, earlier)
  await rows(before.orm, sql`insert into contractors (id, slug, name) values ('ctr_1', 'one', 'One')`)
  await rows(before.orm, sql`insert into users (id, contractor_id, name) values ('cus_1', 'ctr_1', 'Dana')`)
  await rows(
    before.orm,
    sql`insert into projects (id, contractor_id, customer_id, name, status) values ('prj_1', 'ctr_1', 'cus_1', 'Roof', 'in_progress')`,
  )
  for (const [number, amount, date, due, paid] of INVOICES)
    await rows(
      before.orm,
      sql`insert into analytics_invoice_records (id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date, settled_at)
        values (${`inv_${number}`}, 'ctr_1', 'prj_1', 'cus_1', ${number}, ${amount}, 'USD', ${`${date}T00:00:00Z`}, ${`${due}T00:00:00Z`},
          ${paid === '' ? null : `${paid}T00:00:00Z`})`,
    )
  for (const [i, [invoice, amount, , type, currency]] of MONEY.entries())
    await rows(
      before.orm,
      sql`insert into analytics_revenue_transactions (id, contractor_id, project_id, customer_id, invoice_id, type, amount, currency, date, method)
        values (${`t_${i}`}, 'ctr_1', 'prj_1', 'cus_1', ${`inv_${invoice}`}, ${type}, ${amount}, ${currency}, ${`2025-03-${10 + i}T00:00:00Z`}, 'check')`,
    )
  await before.close()

  const upgraded = await openPglite(directory, 'db/migrations')
  const fresh = await openTestDatabase()
  try {
    const { contractor, load } = await makeTenant(fresh)
    const { faults } = await load({
      'customers.csv': 'Customer ID,Name\nC1,Dana\n',
      'projects.csv': 'Project ID,Customer ID,Name,Status\nP1,C1,Roof,in_progress\n',
      'invoices.csv': `Invoice Number,Project ID,Amount,Date,Due Date,Paid Date\n${INVOICES.map(([number, ...cells]) => [number, 'P1', ...cells].join(',')).join('\n')}\n`,
      'payments.csv': `Payment ID,Invoice Number,Amount,Type,Currency,Date\n${MONEY.map(([invoice, amount, type, , currency], i) => [`T${i}`, invoice, amount, type, currency, `2025-03-${10 + i}`].join(',')).join('\n')}\n`,
    })
    expect(faults).toEqual([])
    const afresh = await booksOf(fresh, contractor.id)
    expect(afresh).toHaveLength(INVOICES.length)
    expect(new Set(afresh.map(({ status }) => status))).toEqual(new Set(['paid', 'overdue', 'current', 'future']))
    expect(await booksOf(upgraded, 'ctr_1')).toEqual(afresh)
  } finally {
    await upgraded.close()
    await fresh.close()
    for (const folder of [directory, earlier]) rmSync(folder, { recursive: true })
  }
})
