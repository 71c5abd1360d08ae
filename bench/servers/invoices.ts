import { asc, type SQL, sql } from 'drizzle-orm'
import type { Database } from '@/db/client'
import { invoiceRecords } from '@/db/schema'

const contractor: SQL = sql`${invoiceRecords.contractorId} collate "C"`
/**
 * A range of the list's index. This schema hides its statistics from the planner (docs/decisions/033-query-plans.md), so with a mere equality a peer would
 * sort all of a contractor's rows for each page, which it would not do over a schema of its own.
 */
const ofContractor = (id: string): SQL =>
  sql`(${contractor}, ${invoiceRecords.updatedAt}) >= (${id}, '-infinity') and (${contractor}, ${invoiceRecords.updatedAt}) <= (${id}, 'infinity')`

/** The first page as a service with Drizzle commonly reads and maps it: the columns of the record, one row more than shown, mapped in Node. */
export async function firstPage({ orm }: Pick<Database, 'orm'>, contractorId: string, limit: number) {
  const { id, projectId, customerId, number, amount, currency, invoiceDate, dueDate, status, createdAt, updatedAt } =
    invoiceRecords
  const found = await orm
    .select({ id, projectId, customerId, number, amount, currency, invoiceDate, dueDate, status, createdAt, updatedAt })
    .from(invoiceRecords)
    .where(ofContractor(contractorId))
    .orderBy(asc(contractor), asc(updatedAt), asc(id))
    .limit(limit + 1)
  return found.slice(0, limit).map((row) => ({
    id: row.id,
    projectId: row.projectId,
    contractorId,
    customerId: row.customerId,
    number: row.number,
    amount: Number(row.amount),
    currency: row.currency,
    date: row.invoiceDate.toISOString(),
    dueDate: row.dueDate.toISOString(),
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }))
}
