import { sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../client'
import type { TransactionType } from '../schema'

/** The column a reference stands for in each table of records. */
const TABLES = {
  user: 'users',
  project: 'projects',
  invoice: 'analytics_invoice_records',
  transaction: 'analytics_revenue_transactions',
} as const

/**
 * The rows of a table with these references, as `t` next to `r.reference`. Read one by one through the unique index: without
 * statistics, as in a newly filled database, Postgres would rather read all of the contractor's rows.
 */
const referenced = (table: keyof typeof TABLES, contractorId: string, references: string[]) =>
  sql`jsonb_array_elements_text(${JSON.stringify(references)}::jsonb) as r(reference) cross join lateral (
    select * from ${sql.raw(TABLES[table])} where contractor_id = ${contractorId} and source_reference = r.reference limit 1) t`

/** Home-owners' ids by their references in the contractor's files. */
export async function usersByReference(
  orm: Orm,
  contractorId: string,
  references: string[],
): Promise<Map<string, string>> {
  const found = await rows<{ reference: string; id: string }>(
    orm,
    sql`select r.reference, t.id from ${referenced('user', contractorId, references)}`,
  )
  return new Map(found.map(({ reference, id }) => [reference, id]))
}

export type ProjectRef = { id: string; customerId: string }
export type LockedProjects = { byReference: Map<string, ProjectRef>; byId: Map<string, ProjectRef> }

/**
 * Projects by their references or their invoices', locked until the transaction ends: whoever adds a record to one of them
 * takes its lock first, so two loads never choose the same millisecond. Always in the order of ids, so that they cannot wait
 * for each other.
 */
export async function lockProjects(
  orm: Orm,
  contractorId: string,
  references: { projects: string[]; invoices: string[] },
): Promise<LockedProjects> {
  const found = await rows<ProjectRef & { reference: string | null }>(
    orm,
    sql`select id, customer_id as "customerId", source_reference as reference from projects
      where id = any(array(
        select t.id from ${referenced('project', contractorId, references.projects)}
        union select t.project_id from ${referenced('invoice', contractorId, references.invoices)}))
      order by id for no key update`,
  )
  const byReference = found.flatMap(({ reference, id, customerId }) =>
    reference === null ? [] : [[reference, { id, customerId }] as const],
  )
  return {
    byReference: new Map(byReference),
    byId: new Map(found.map(({ id, customerId }) => [id, { id, customerId }])),
  }
}

export type InvoiceRef = { id: string; projectId: string }

/** Invoices by their references. */
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

/** The ids of the invoices that are there already, by reference: they keep them. */
export async function storedInvoices(
  orm: Orm,
  contractorId: string,
  references: string[],
): Promise<Map<string, string>> {
  const found = await invoicesByReference(orm, contractorId, references)
  return new Map([...found].map(([reference, { id }]) => [reference, id]))
}

/** A transaction that is there already, with the project of its invoice if it has one. */
export type StoredTransaction = { id: string; type: TransactionType; invoiceProjectId: string | null }

/** The transactions that are there already, by reference: they keep their ids and types. */
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

/** Home-owners of a contractor who own no project, and so are not shown as customers. */
export async function countWithoutProject(orm: Orm, contractorId: string): Promise<number> {
  const [row] = await rows<{ n: number }>(
    orm,
    sql`select count(*)::int as n from users where contractor_id = ${contractorId} and not owns_project`,
  )
  return row?.n ?? 0
}

/** What every load writes beside its own tables: the index that is searched. */
const SEARCHED = ['documents', 'document_chunks', 'chunk_terms', 'search_terms', 'search_words', 'search_postings']

/**
 * Tells the planner what a table holds now, and has kept plans made again. The embedded database answers nobody meanwhile, so a tenth of the
 * usual sample must do there.
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
 * Tells the planner what the tables of a load and the search index hold now. Postgres does so by itself within a minute; the embedded database never does, and
 * would plan for empty tables.
 */
export async function refreshStatistics(db: Database, tables: string[], between?: () => Promise<void>): Promise<void> {
  for (const table of [...tables, ...SEARCHED]) {
    await countTable(db, table)
    await between?.()
  }
}
