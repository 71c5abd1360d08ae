import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { invoiceRecords, revenueTransactions, type TransactionType, users } from '../schema'

/** Home-owners' ids by their references in the contractor's files. */
export async function usersByReference(
  orm: Orm,
  contractorId: string,
  references: string[],
): Promise<Map<string, string>> {
  const found = await orm
    .select({ reference: users.sourceReference, id: users.id })
    .from(users)
    .where(and(eq(users.contractorId, contractorId), inArray(users.sourceReference, references)))
  return new Map(found.flatMap(({ reference, id }) => (reference === null ? [] : [[reference, id]])))
}

export type ProjectRef = { id: string; customerId: string }

/**
 * Projects by their references, locked until the transaction ends: whoever adds a record to one of them takes its lock first,
 * so two loads never choose the same millisecond. Always in the order of ids, so that they cannot wait for each other.
 */
export async function lockProjects(
  orm: Orm,
  contractorId: string,
  by: { references: string[]; ids: string[] },
): Promise<Map<string, ProjectRef>> {
  const [references, ids] = [JSON.stringify(by.references), JSON.stringify(by.ids)]
  const found = await rows<ProjectRef & { reference: string | null }>(
    orm,
    sql`select id, customer_id as "customerId", source_reference as reference from projects
      where id in (
        select id from projects where contractor_id = ${contractorId}
          and source_reference in (select jsonb_array_elements_text(${references}::jsonb))
        union select id from projects where contractor_id = ${contractorId}
          and id in (select jsonb_array_elements_text(${ids}::jsonb)))
      order by id for no key update`,
  )
  return new Map(
    found.flatMap(({ reference, ...project }) => [
      [project.id, project],
      ...(reference === null ? [] : [[reference, project] as const]),
    ]),
  )
}

export type InvoiceRef = { id: string; projectId: string }

/** Invoices by their references. */
export async function invoicesByReference(
  orm: Orm,
  contractorId: string,
  references: string[],
): Promise<Map<string, InvoiceRef>> {
  const found = await orm
    .select({ reference: invoiceRecords.sourceReference, id: invoiceRecords.id, projectId: invoiceRecords.projectId })
    .from(invoiceRecords)
    .where(and(eq(invoiceRecords.contractorId, contractorId), inArray(invoiceRecords.sourceReference, references)))
  return new Map(found.flatMap(({ reference, ...invoice }) => (reference === null ? [] : [[reference, invoice]])))
}

export type StoredRecord = { id: string; type: TransactionType | 'invoice' }

const recordTable = { invoice: invoiceRecords, transaction: revenueTransactions }
export type RecordKind = keyof typeof recordTable

/** The records that are there already, by reference: they keep their ids. */
export async function storedRecords(
  orm: Orm,
  kind: RecordKind,
  contractorId: string,
  references: string[],
): Promise<Map<string, StoredRecord>> {
  const table = recordTable[kind]
  const type = kind === 'invoice' ? sql<'invoice'>`'invoice'` : sql<TransactionType>`${revenueTransactions.type}`
  const found = await orm
    .select({ reference: table.sourceReference, id: table.id, type })
    .from(table)
    .where(and(eq(table.contractorId, contractorId), inArray(table.sourceReference, references)))
  return new Map(found.flatMap(({ reference, ...record }) => (reference === null ? [] : [[reference, record]])))
}

/** An id that is wanted: what stands before the millisecond (`inv_<project>_`), and the millisecond. */
export type WantedId = { prefix: string; ms: number }

/**
 * Of the ids wanted, those that are taken, each with the last one taken within a day behind it. Ids of a project differ in
 * their digits only, so this is one short range of the primary key.
 */
export async function takenIds(orm: Orm, kind: RecordKind, wanted: WantedId[]): Promise<Map<string, string>> {
  const table = sql.raw(kind === 'invoice' ? 'analytics_invoice_records' : 'analytics_revenue_transactions')
  const found = await rows<{ id: string; last: string }>(
    orm,
    sql`select w.prefix || w.ms as id, (select t.id from ${table} t
          where t.id >= w.prefix || w.ms and t.id < w.prefix || (w.ms + 86400000) order by t.id desc limit 1) as last
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w(prefix text, ms bigint)
      where exists (select 1 from ${table} t where t.id = w.prefix || w.ms)`,
  )
  return new Map(found.map(({ id, last }) => [id, last]))
}

/** Home-owners of a contractor who own no project, and so are not shown as customers. */
export async function countWithoutProject(orm: Orm, contractorId: string): Promise<number> {
  const [row] = await rows<{ n: number }>(
    orm,
    sql`select count(*)::int as n from users where contractor_id = ${contractorId} and not owns_project`,
  )
  return row?.n ?? 0
}
