import { sql } from 'drizzle-orm'
import { type Database, rows } from '@/db/client'
import { insertContractor } from '@/db/queries/contractors'
import { operatorFor } from '@/lib/auth/actor'
import { createKey } from '@/lib/auth/manage-keys'
import { PRESETS } from '@/lib/auth/scopes'
import { newId } from '@/lib/core/ids'

const IN_ONE_STATEMENT = 500_000

/** A contractor with `count` invoices, written by Postgres itself, an update a millisecond apart, and a key to read them. */
export async function makeInvoices(db: Database, count: number): Promise<{ contractorId: string; key: string }> {
  const id = newId('contractor')
  const contractor = await insertContractor(db.orm, { id, slug: `bench-${count}`, name: `${count} invoices` })
  if (!contractor) throw new Error('the database is not fresh')
  const tail = id.slice(4, 20)
  await rows(
    db.orm,
    sql`insert into users (id, contractor_id, name, owns_project)
    select 'cus_' || ${tail} || lpad(g::text, 10, '0'), ${id}, 'Customer ' || g, true from generate_series(0, 999) g`,
  )
  await rows(
    db.orm,
    sql`insert into projects (id, contractor_id, customer_id, name, status, total_amount)
    select 'prj_' || ${tail} || lpad(g::text, 10, '0'), ${id}, 'cus_' || ${tail} || lpad((g % 1000)::text, 10, '0'), 'Project ' || g, 'completed', 1000.50
    from generate_series(0, 9999) g`,
  )
  const indexes = await rows<{ name: string; made: string }>(
    db.orm,
    sql`select indexname as name, indexdef as made from pg_indexes
    where tablename = 'analytics_invoice_records' and indexname not like '%pkey'`,
  )
  // Written without indexes and triggers, which are made again below: the rows are the same, in a tenth of the time.
  for (const { name } of indexes) await rows(db.orm, sql`drop index ${sql.identifier(name)}`)
  await rows(db.orm, sql`alter table analytics_invoice_records disable trigger user`)
  for (let from = 0; from < count; from += IN_ONE_STATEMENT) {
    await rows(
      db.orm,
      sql`insert into analytics_invoice_records
        (id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date, settled_at, status, updated_at)
      select 'inv_' || p || '_' || (1700000000000 + g), ${id}, p, 'cus_' || ${tail} || lpad((g % 1000)::text, 10, '0'), 'N-' || g, (g % 90000) / 100.0 + 1, 'USD',
        '2026-01-05Z'::timestamptz + g * interval '1 second', '2026-02-05Z'::timestamptz + g * interval '1 second', '2026-02-01Z', 'paid',
        '2026-01-01Z'::timestamptz + g * interval '1 millisecond'
      from (select g, 'prj_' || ${tail} || lpad((g % 10000)::text, 10, '0') as p from generate_series(${from}::int, ${Math.min(from + IN_ONE_STATEMENT, count) - 1}::int) g) s`,
    )
  }
  for (const { made } of indexes) await rows(db.orm, sql.raw(made))
  await rows(db.orm, sql`alter table analytics_invoice_records enable trigger user`)
  await rows(db.orm, sql`analyze`)
  return {
    contractorId: id,
    key: (
      await createKey(
        db.orm,
        contractor,
        { name: 'bench', scopes: PRESETS.integration.scopes },
        operatorFor(contractor.id),
      )
    ).text,
  }
}
