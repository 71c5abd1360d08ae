import { sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../client'
import type { TransactionType } from '../schema'
import { deletedAmounts, type MonthAmount } from './month-amounts'

/** The table of each kind of record. */
const TABLES = {
  user: 'users',
  project: 'projects',
  invoice: 'analytics_invoice_records',
  transaction: 'analytics_revenue_transactions',
} as const

/**
 * Selects the rows of a table with these references, as `t` next to `r.reference`. Looks them up one by one in the unique index:
 * without statistics, as in a newly filled database, Postgres would read all of the contractor's rows.
 */
const referenced = (table: keyof typeof TABLES, contractorId: string, references: string[]) =>
  sql`jsonb_array_elements_text(${JSON.stringify(references)}::jsonb) as r(reference) cross join lateral (
    select * from ${sql.raw(TABLES[table])} where contractor_id = ${contractorId} and source_reference = r.reference limit 1) t`

/** Returns projects by their references or their invoices', in id order. */
export const projectsByReference = (
  orm: Orm,
  contractorId: string,
  references: { projects: string[]; invoices: string[] },
  locked = sql``,
): Promise<(ProjectRef & { reference: string | null })[]> =>
  rows<ProjectRef & { reference: string | null }>(
    orm,
    sql`select id, customer_id as "customerId", source_reference as reference from projects
      where id = any(array(
        select t.id from ${referenced('project', contractorId, references.projects)}
        union select t.project_id from ${referenced('invoice', contractorId, references.invoices)}))
      order by id ${locked}`,
  )

/** Returns homeowners' ids by their references in the contractor's files; of one that was joined to another, that one's id. */
export async function usersByReference(
  orm: Orm,
  contractorId: string,
  references: string[],
): Promise<Map<string, string>> {
  const found = await rows<{ reference: string; id: string }>(
    orm,
    sql`select r.reference, coalesce(t.joined_to, t.id) as id from ${referenced('user', contractorId, references)}`,
  )
  return new Map(found.map(({ reference, id }) => [reference, id]))
}

export type ProjectRef = { id: string; customerId: string }
export type LockedProjects = { byReference: Map<string, ProjectRef>; byId: Map<string, ProjectRef> }

/**
 * Returns projects by their references or their invoices', locked until the transaction ends. Whoever adds a record to a project
 * locks it first, so two loads never choose the same millisecond. The locks are taken in id order, so loads cannot deadlock.
 */
export async function lockProjects(
  orm: Orm,
  contractorId: string,
  references: { projects: string[]; invoices: string[] },
): Promise<LockedProjects> {
  const found = await projectsByReference(orm, contractorId, references, sql`for no key update`)
  const byReference = found.flatMap(({ reference, id, customerId }) =>
    reference === null ? [] : [[reference, { id, customerId }] as const],
  )
  return {
    byReference: new Map(byReference),
    byId: new Map(found.map(({ id, customerId }) => [id, { id, customerId }])),
  }
}

export type InvoiceRef = { id: string; projectId: string }

/** Returns invoices by their references. */
export async function invoicesByReference(
  orm: Orm,
  contractorId: string,
  references: string[],
): Promise<Map<string, InvoiceRef>> {
  const found = await rows<InvoiceRef & { reference: string }>(
    orm,
    sql`select r.reference, t.id, t.project_id as "projectId" from ${referenced('invoice', contractorId, references)}`,
  )
  return new Map(found.map(({ reference, id, projectId }) => [reference, { id, projectId }]))
}

/** Returns the ids of existing invoices by reference, because they keep their ids. */
async function storedInvoices(orm: Orm, contractorId: string, references: string[]): Promise<Map<string, string>> {
  const found = await invoicesByReference(orm, contractorId, references)
  return new Map([...found].map(([reference, { id }]) => [reference, id]))
}

/** An existing transaction, with the project of its invoice if it has one. */
export type StoredTransaction = { id: string; type: TransactionType; invoiceProjectId: string | null }

/** Returns existing transactions by reference, because they keep their ids and types. */
export async function storedTransactions(
  orm: Orm,
  contractorId: string,
  references: string[],
): Promise<Map<string, StoredTransaction>> {
  const found = await rows<StoredTransaction & { reference: string }>(
    orm,
    sql`select r.reference, t.id, t.type,
        (select i.project_id from analytics_invoice_records i where i.id = t.invoice_id) as "invoiceProjectId"
      from ${referenced('transaction', contractorId, references)}`,
  )
  return new Map(found.map(({ reference, ...transaction }) => [reference, transaction]))
}

/** Counts a contractor's homeowners without a project, who are not shown as customers. */
export async function countWithoutProject(orm: Orm, contractorId: string): Promise<number> {
  const [row] = await rows<{ n: number }>(
    orm,
    sql`select count(*)::int as n from users where contractor_id = ${contractorId} and not owns_project and joined_to is null`,
  )
  return row?.n ?? 0
}

/** The search index's tables, which every load writes besides its own. */
const SEARCHED = ['documents', 'document_chunks', 'chunk_terms', 'search_terms', 'search_words', 'search_postings']

/**
 * Updates a table's statistics, which also makes Postgres replan prepared statements. The embedded database answers nothing in the
 * meantime, so it takes a tenth of the usual sample.
 */
export async function countTable(db: Database, table: string): Promise<void> {
  const analyze = sql`analyze ${sql.identifier(table)}`
  if (db.driver !== 'pglite') return void (await db.orm.execute(analyze))
  await db.orm.transaction(async (tx) => {
    await tx.execute(sql`set local default_statistics_target = 10`)
    await tx.execute(analyze)
  })
}

/**
 * Updates the statistics of a load's tables and of the search index. A Postgres server does so itself within a minute; the embedded
 * database never does, and would plan for empty tables.
 */
export async function refreshStatistics(db: Database, tables: string[], between?: () => Promise<void>): Promise<void> {
  for (const table of [...tables, ...SEARCHED]) {
    await countTable(db, table)
    await between?.()
  }
}

/**
 * Deletes invoices by their references; how many there were, and their amounts. Their payments stay as unapplied money of the project, because the contractor
 * has it.
 */
export async function removeInvoices(
  orm: Orm,
  contractorId: string,
  references: string[],
): Promise<{ count: number; amounts: MonthAmount[] }> {
  const none = { count: 0, amounts: [] }
  if (references.length === 0) return none
  const stored = await storedInvoices(orm, contractorId, references)
  const ids = sql`array(select jsonb_array_elements_text(${JSON.stringify([...stored.values()].sort())}::jsonb))`
  if (stored.size === 0) return none
  await orm.execute(sql`update analytics_revenue_transactions set invoice_id = null where invoice_id = any(${ids})`)
  const amounts = await deletedAmounts(
    orm,
    'analytics_invoice_records',
    sql`id = any(${ids}) and contractor_id || '' = ${contractorId}`,
  )
  return { count: stored.size, amounts }
}

/** An invoice whose file says another balance than its payments leave; `isHeld` where that is a Paid Date beside retainage, without a payment. */
export type Contradiction = { number: string; stated: string; left: string; counts: string; isHeld: boolean }

/**
 * Returns invoices written since a moment whose stated balance and transactions (`moved`: what came in and what went back) contradict each
 * other, by the index of the list, so that
 * only what a load changed is read.
 */
export async function contradictions(
  orm: Orm,
  contractorId: string,
  since: string,
  most: number,
): Promise<Contradiction[]> {
  return await rows<Contradiction>(
    orm,
    sql`select number, stated::text, "left"::text, open_amount::text as counts, held and moved = 0 as "isHeld" from (
      select i.number, i.open_amount, coalesce(i.stated_balance, 0.00) as stated, greatest(i.pending_amount, 0) as later, i.paid_amount + 2 * (i.refunded_amount + i.reversed_amount) as moved,
        i.settled_at is not null and i.stated_balance is null and i.retainage_amount > 0 as held,
        invoice_open_amount(i.amount, i.paid_amount, i.refunded_amount, i.reversed_amount, i.credited_amount, i.written_off_amount, null) as "left"
      from analytics_invoice_records i
      where i.contractor_id collate "C" = ${contractorId} and i.updated_at >= ${since}::timestamptz
        and (i.stated_balance is not null or i.settled_at is not null)) x
      where "left" < stated or ("left" > stated + later and (moved > 0 or held)) order by number limit ${most}`,
  )
}

/** An invoice that asks for exactly what is held back on others of its project. */
export type RetainageBilled = { number: string; amount: string; held: string; credits: string }

/** Returns invoices written since a moment that ask for exactly the retainage of earlier ones of their project, which then stands twice. By the index of what is held back. */
export const retainageBilled = (
  orm: Orm,
  contractorId: string,
  since: string,
  most: number,
): Promise<RetainageBilled[]> =>
  rows<RetainageBilled>(
    orm,
    sql`select b.number, b.amount::text as amount, string_agg(a.number, ', ' order by a.number) as held,
        string_agg(least(a.open_amount, a.retainage_amount)::text || ' for ' || a.number, ', ' order by a.number) as credits
      from (select * from analytics_invoice_records where contractor_id = ${contractorId} and retainage_amount > 0 and open_amount > 0 offset 0) a
        join analytics_invoice_records b on b.project_id = a.project_id and b.id <> a.id and b.currency = a.currency and b.invoice_date >= a.invoice_date
      where b.updated_at >= ${since}::timestamptz and b.amount > 0 and b.retainage_amount = 0
      group by b.id, b.number, b.amount having sum(least(a.open_amount, a.retainage_amount)) = b.amount order by b.number limit ${most}`,
  )

/** Returns the references of invoices by their numbers, of numbers that one invoice has. */
export async function invoicesByNumber(
  orm: Orm,
  contractorId: string,
  numbers: string[],
): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map()
  const found = await rows<{ number: string; reference: string }>(
    orm,
    sql`select n.number, min(i.source_reference) as reference from jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb) as n(number)
      cross join lateral (select number, source_reference from analytics_invoice_records
        where (contractor_id || ':' || find_number(number)) collate "C" = ${contractorId} || ':' || find_number(n.number) limit 20) i
      where i.number = n.number and i.source_reference is not null group by n.number having count(*) = 1`,
  )
  return new Map(found.map(({ number, reference }) => [number, reference]))
}
