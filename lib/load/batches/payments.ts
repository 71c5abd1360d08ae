import { invoicesByReference, lockProjects, storedRecords } from '@/db/queries/load'
import { type UpsertRecord, upsertByReference } from '@/db/queries/upsert'
import type { Row } from '../rows'
import { COMMON, columnsFor, commonOf, createdAt, referencesOf, type WriteBatch } from './batch'
import { chooseIds, type Placed, typeOf } from './ids'

/** Why a payment's sum cannot be, or undefined. */
function sumFault(row: Row): string | undefined {
  if (row.values.amount === '0.00') return 'is zero'
  return typeOf(row) !== 'adjustment' && row.values.amount?.startsWith('-')
    ? 'is negative; write a refund as a positive amount with Type refund'
    : undefined
}

/** Writes revenue transactions for the projects or invoices they name. */
export const writePayments: WriteBatch = async ({ orm, contractor, fields, refuse }, batch) => {
  const invoices = await invoicesByReference(orm, contractor.id, referencesOf(batch, 'invoice'))
  const ofInvoices = [...invoices.values()].map(({ projectId }) => projectId)
  const projects = await lockProjects(orm, contractor.id, {
    references: referencesOf(batch, 'project'),
    ids: ofInvoices,
  })
  const stored = await storedRecords(orm, 'transaction', contractor.id, referencesOf(batch, 'reference'))
  const placed = batch.flatMap((row): Placed[] => {
    const { project: projectRef, invoice: invoiceRef, reference } = row.values
    const invoice = invoices.get(invoiceRef ?? '')
    const project = projects.get(projectRef ?? invoice?.projectId ?? '')
    const known = stored.get(reference ?? '')
    const sum = sumFault(row)
    if (!projectRef && !invoiceRef) refuse(row, 'project', 'is blank, and so is Invoice Number; one of them is needed')
    else if (invoiceRef && !invoice)
      refuse(row, 'invoice', 'no invoice with this number is loaded; add it to invoices.csv')
    else if (!project) refuse(row, 'project', 'no project with this id is loaded; add it to projects.csv')
    else if (invoice && invoice.projectId !== project.id) refuse(row, 'project', 'is not the project of this invoice')
    else if (sum) refuse(row, 'amount', sum)
    else if (known && known.type !== typeOf(row))
      refuse(row, 'type', 'differs from what is loaded; a transaction keeps its type, use a new Payment ID')
    else return [{ row, project, createdAt: createdAt(row) }]
    return []
  })
  const ids = await chooseIds(orm, 'transaction', placed, stored)
  const records = placed.map(({ row, project, createdAt }, i): UpsertRecord => {
    const { amount = null, currency, date = null, method, externalReference = null } = row.values
    const identity = {
      id: ids[i] ?? null,
      type: typeOf(row),
      ...commonOf(row, contractor.id),
      created_at: createdAt,
    }
    const place = {
      project_id: project.id,
      customer_id: project.customerId,
      invoice_id: invoices.get(row.values.invoice ?? '')?.id ?? null,
    }
    return {
      ...identity,
      ...place,
      amount,
      currency: currency ?? contractor.currency,
      date,
      method: method ?? 'other',
      reference: externalReference,
    }
  })
  const columns = columnsFor(fields, {
    ...COMMON,
    type: ['text'],
    project_id: ['text', 'reference'],
    customer_id: ['text', 'reference'],
    invoice_id: ['text', 'invoice'],
    amount: ['numeric(14,2)', 'amount'],
    currency: ['text', 'currency'],
    date: ['timestamptz(3)', 'date'],
    method: ['text', 'method'],
    reference: ['text', 'externalReference'],
  })
  return upsertByReference(orm, 'analytics_revenue_transactions', columns, records)
}
