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
  const found = await rows<ProjectRef & { reference: string | null }>(
    orm,
    sql`select id, customer_id as "customerId", source_reference as reference from projects
      where contractor_id = ${contractorId} and (source_reference in (select jsonb_array_elements_text(${JSON.stringify(by.references)}::jsonb))
        or id in (select jsonb_array_elements_text(${JSON.stringify(by.ids)}::jsonb)))
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

export type StoredRecord = { id: string; epochMs: number; type: TransactionType | 'invoice' }

const recordTable = { invoice: invoiceRecords, transaction: revenueTransactions }
export type RecordKind = keyof typeof recordTable

/** The records that are there already, by reference: they keep their ids and milliseconds. */
export async function storedRecords(
  orm: Orm,
  kind: RecordKind,
  contractorId: string,
  references: string[],
): Promise<Map<string, StoredRecord>> {
  const table = recordTable[kind]
  const type = kind === 'invoice' ? sql<'invoice'>`'invoice'` : sql<TransactionType>`${revenueTransactions.type}`
  const found = await orm
    .select({ reference: table.sourceReference, id: table.id, epochMs: table.epochMs, type })
    .from(table)
    .where(and(eq(table.contractorId, contractorId), inArray(table.sourceReference, references)))
  return new Map(found.flatMap(({ reference, ...record }) => (reference === null ? [] : [[reference, record]])))
}

/** A project and the millisecond wanted for a new record of it; `last` is the greatest taken from there on, within a day. */
export type WantedMs = { projectId: string; ms: number }

/** For each wanted millisecond that is taken, the greatest one taken within a day behind it, as `project ms -> last`. */
export async function takenMilliseconds(orm: Orm, kind: RecordKind, wanted: WantedMs[]): Promise<Map<string, number>> {
  const table = sql.raw(kind === 'invoice' ? 'analytics_invoice_records' : 'analytics_revenue_transactions')
  const found = await rows<{ project: string; ms: number; last: number | null }>(
    orm,
    sql`select w.project, w.ms::float8 as ms,
        (select max(epoch_ms)::float8 from ${table} t where t.project_id = w.project and t.epoch_ms >= w.ms and t.epoch_ms < w.ms + 86400000) as last
      from jsonb_to_recordset(${JSON.stringify(wanted.map(({ projectId, ms }) => ({ project: projectId, ms })))}::jsonb) as w(project text, ms bigint)
      where exists (select 1 from ${table} t where t.project_id = w.project and t.epoch_ms = w.ms)`,
  )
  return new Map(found.map(({ project, ms, last }) => [`${project} ${ms}`, last ?? ms]))
}

/** Home-owners of a contractor who own no project, and so are not shown as customers. */
export async function countWithoutProject(orm: Orm, contractorId: string): Promise<number> {
  const [row] = await rows<{ n: number }>(
    orm,
    sql`select count(*)::int as n from users where contractor_id = ${contractorId} and not owns_project`,
  )
  return row?.n ?? 0
}
