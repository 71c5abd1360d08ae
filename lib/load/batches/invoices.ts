import { lockProjects, storedInvoices } from '@/db/queries/load'
import type { UpsertRecord } from '@/db/queries/upsert'
import { momentIdPrefix } from '@/lib/core/ids'
import { invoices } from '@/lib/resources/invoices'
import type { Row } from '../rows'
import {
  type BatchContext,
  COMMON,
  columnsFor,
  commonOf,
  createdAt,
  orNull,
  referencesOf,
  upsert,
  type WriteBatch,
} from './batch'
import { chooseIds, type Placed } from './ids'
import { recordColumns, valuesReader } from './record'

/** Returns the rows that can be written, with their projects. The projects stay locked until the transaction ends. */
async function place({ orm, contractor, verdicts }: BatchContext, batch: Row[]): Promise<Placed[]> {
  const projects = await lockProjects(orm, contractor.id, { projects: referencesOf(batch, 'project'), invoices: [] })
  const stored = await storedInvoices(orm, contractor.id, referencesOf(batch, 'reference'))
  return batch.flatMap((row): Placed[] => {
    const project = projects.byReference.get(row.values.project ?? '')
    if (!project) verdicts.refuse(row, 'project', 'no project with this id is loaded; add it to projects.csv')
    if (!project || !verdicts.isSound(row)) return []
    const storedId = stored.get(row.values.reference ?? '')
    return [
      { row, project, prefix: momentIdPrefix(invoices.idPrefix, project.id), createdAt: createdAt(row), storedId },
    ]
  })
}

/** Writes invoices for the projects they name. */
export const writeInvoices: WriteBatch = async (context, batch) => {
  const { orm, contractor, fields } = context
  const placed = await chooseIds(orm, 'invoice', await place(context, batch))
  const fill = valuesReader(invoices, contractor)
  const records = placed.map(({ row, project, createdAt, id }): UpsertRecord => {
    const record = fill(row, commonOf(row, contractor.id, id))
    record.created_at = createdAt
    record.project_id = project.id
    record.customer_id = project.customerId
    record.due_date = row.values.dueDate ?? orNull(row, 'date')
    return record
  })
  const columns = columnsFor(fields, {
    ...COMMON,
    project_id: ['text', 'project'],
    customer_id: ['text', 'project'],
    ...recordColumns(invoices),
  })
  return upsert(orm, 'analytics_invoice_records', columns, records)
}
