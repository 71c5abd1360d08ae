import { lockProjects, storedRecords } from '@/db/queries/load'
import { type UpsertRecord, upsertByReference } from '@/db/queries/upsert'
import { COMMON, columnsFor, commonOf, createdAt, referencesOf, type WriteBatch } from './batch'
import { chooseIds, type Placed } from './ids'

/** Writes invoices for the projects they name. */
export const writeInvoices: WriteBatch = async ({ orm, contractor, fields, refuse }, batch) => {
  const projects = await lockProjects(orm, contractor.id, { references: referencesOf(batch, 'project'), ids: [] })
  const placed = batch.flatMap((row): Placed[] => {
    const project = projects.get(row.values.project ?? '')
    if (!project) refuse(row, 'project', 'no project with this id is loaded; add it to projects.csv')
    else if (row.values.amount?.startsWith('-')) refuse(row, 'amount', 'is negative; an invoice is zero or more')
    else return [{ row, project, createdAt: createdAt(row) }]
    return []
  })
  const stored = await storedRecords(
    orm,
    'invoice',
    contractor.id,
    placed.map(({ row }) => row.values.reference ?? ''),
  )
  const ids = await chooseIds(orm, 'invoice', placed, stored)
  const records = placed.map(({ row, project, createdAt }, i): UpsertRecord => {
    const { reference = null, amount = null, currency, date = null, dueDate, settledAt = null } = row.values
    const identity = {
      id: ids[i] ?? null,
      ...commonOf(row, contractor.id),
      created_at: createdAt,
    }
    const sums = {
      number: reference,
      amount,
      currency: currency ?? contractor.currency,
      invoice_date: date,
      due_date: dueDate ?? date,
      settled_at: settledAt,
    }
    return { ...identity, project_id: project.id, customer_id: project.customerId, ...sums }
  })
  const columns = columnsFor(fields, {
    ...COMMON,
    project_id: ['text', 'project'],
    customer_id: ['text', 'project'],
    number: ['text', 'reference'],
    amount: ['numeric(14,2)', 'amount'],
    currency: ['text', 'currency'],
    invoice_date: ['timestamptz(3)', 'date'],
    due_date: ['timestamptz(3)', 'dueDate'],
    settled_at: ['timestamptz(3)', 'settledAt'],
  })
  return upsertByReference(orm, 'analytics_invoice_records', columns, records)
}
