import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows, shareDatabase } from '@/db/client'
import { loadFolder } from '@/lib/load/load'
import { actorOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { getCashFlow } from './cash-flow'
import { getProjectFinancials } from './project-financials'
import { getReceivablesAging } from './receivables-aging'

/** A moment within the demonstration's books: some invoices are dated after it. */
const NOW = new Date()

const cents = (amount: unknown) => Math.round(Number(amount) * 100)

test('the demonstration’s books: invoices, projects, aging and cash flow tell the same sums, future invoices apart', {
  timeout: 120_000,
}, async () => {
  const db = await openTestDatabase()
  shareDatabase(db)
  try {
    const { contractor } = await makeTenant(db)
    await rows(db.orm, sql`update contractors set timezone = 'America/Chicago' where id = ${contractor.id}`)
    const { faults } = await loadFolder(db, contractor, join('db', 'demo', 'cumberland-roofing'), {})
    expect(faults).toEqual([])
    const ask = { actor: actorOf(contractor), now: NOW }

    const [invoices] = await rows<Record<string, string>>(
      db.orm,
      sql`select coalesce(sum(greatest(open_amount - retainage_amount, 0)) filter (where status = 'overdue'), 0) as overdue,
          coalesce(sum(greatest(open_amount - retainage_amount, 0)) filter (where status = 'current'), 0) as "notYetDue",
          coalesce(sum(least(greatest(open_amount, 0), retainage_amount)) filter (where status in ('overdue', 'current')), 0) as retainage,
          coalesce(sum(open_amount) filter (where status = 'future'), 0) as future,
          count(*) filter (where status = 'future') as "futureInvoices"
        from analytics_invoice_records where contractor_id = ${contractor.id}`,
    )
    const projects = await rows<{ id: string }>(
      db.orm,
      sql`select distinct project_id as id from analytics_invoice_records where contractor_id = ${contractor.id}`,
    )
    const names = ['overdue', 'notYetDue', 'future', 'retainage', 'unpaid'] as const
    const sums = { overdue: 0, notYetDue: 0, future: 0, retainage: 0, unpaid: 0 }
    for (const { id } of projects) {
      const project = await execute(getProjectFinancials, ask, { projectId: id })
      for (const name of names) sums[name] += cents(project[name])
    }
    const { total } = await execute(getReceivablesAging, ask, {})
    const flow = await execute(getCashFlow, ask, { from: '2024-01-01' })

    // The books have invoices dated ahead, so that leaving them out of `unpaid` shows.
    expect(Number(invoices?.futureInvoices)).toBeGreaterThan(10)
    expect(sums.future).toBeGreaterThan(0)
    expect(sums.unpaid).toBe(sums.overdue + sums.notYetDue)
    for (const name of ['overdue', 'notYetDue', 'future', 'retainage'] as const)
      expect(sums[name], name).toBe(cents(invoices?.[name]))
    expect([total.unpaid, total.overdue, total.current, total.future, total.retainage].map(cents)).toEqual([
      sums.unpaid,
      sums.overdue,
      sums.notYetDue,
      sums.future,
      sums.retainage,
    ])
    expect(cents(flow.unpaidAtEnd)).toBe(sums.unpaid)
    // Nobody got back more than they had paid.
    expect(total.unapplied).toBeGreaterThan(0)
    for (const { name, unapplied } of (await execute(getReceivablesAging, ask, { limit: 25 })).customers)
      expect(unapplied, name).toBeGreaterThanOrEqual(0)
  } finally {
    await db.close()
  }
})
