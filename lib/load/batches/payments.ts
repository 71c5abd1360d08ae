import type { InvoiceRef, ProjectRef, StoredTransaction } from '@/db/queries/load'
import type { UpsertRecord } from '@/db/queries/upsert'
import { TRANSACTION_TYPES, type TransactionType } from '@/db/schema'
import { momentIdPrefix } from '@/lib/core/ids'
import { inSlices } from '@/lib/core/slices'
import { payments } from '@/lib/resources/payments'
import type { Row } from '../rows'
import {
  type BatchContext,
  COMMON,
  columnsFor,
  commonOf,
  createdAt,
  referencesOf,
  refuseKept,
  upsert,
  type WriteBatch,
} from './batch'
import type { Placed } from './ids'
import { recordColumns, valuesReader } from './record'

/** The id prefixes that tell refunds and adjustments from payments. */
const ID_PREFIX: Record<TransactionType, string> = {
  payment_received: payments.idPrefix,
  refund: 'ref',
  adjustment: 'adj',
  reversal: 'rev',
  write_off: 'wof',
  allocation: 'alc',
}

/** Returns a row's type: payment by default, or the stored type when the file has no such column. */
function typeOf(row: Row, stored: StoredTransaction | undefined): TransactionType {
  const { type } = row.values
  if (type === undefined && stored) return stored.type
  if (type === 'credit') return 'adjustment'
  return TRANSACTION_TYPES.find((known) => known === type && known !== 'allocation') ?? 'payment_received'
}

/** A row's amount as it is stored: what a credit takes off is positive, whether the file writes it with a minus or without. */
const amountOf = ({ values: { amount, type } }: Row): string | null =>
  type === 'credit' ? (amount?.replace('-', '') ?? null) : (amount ?? null)

type Links = { project: ProjectRef | undefined; invoice: InvoiceRef | undefined; stored: StoredTransaction | undefined }

/** Reports whether a row has no reference in a field. A cell with its own error counts as a reference. */
const isBlank = (fields: string[], row: Row, field: string) => !fields.includes(field) || row.values[field] === null

/**
 * Returns why a row whose invoice is not stored cannot be written, or undefined. One that is void or a draft is unapplied in the project it
 * names.
 */
function unfitInvoice({ fields, unissued }: BatchContext, row: Row): string | undefined {
  const { invoice } = row.values
  if (!invoice) return undefined
  if (!unissued.has(invoice))
    return 'no invoice with this number is loaded; add it to invoices.csv, also when it is void, and load both files'
  return isBlank(fields, row, 'project')
    ? 'this invoice is void or a draft and not loaded; give the Project ID, and the transaction is unapplied there'
    : undefined
}

/** Refuses a row whose project and invoice are missing, unknown or contradict each other. */
function checkLinks(context: BatchContext, row: Row, { project, invoice, stored }: Links): void {
  const { fields, verdicts } = context
  const { project: projectRef } = row.values
  if (isBlank(fields, row, 'project') && isBlank(fields, row, 'invoice'))
    verdicts.refuse(row, fields.includes('project') ? 'project' : 'invoice', 'Project ID or Invoice Number is required')
  const unfit = invoice ? undefined : unfitInvoice(context, row)
  if (unfit !== undefined) verdicts.refuse(row, 'invoice', unfit)
  if (projectRef && !project)
    verdicts.refuse(row, 'project', 'no project with this id is loaded; add it to projects.csv')
  if (projectRef && project && invoice && invoice.projectId !== project.id)
    verdicts.refuse(row, 'project', 'is not the project of this invoice')
  const keptInvoice = fields.includes('invoice') ? null : stored?.invoiceProjectId
  if (project && keptInvoice && keptInvoice !== project.id)
    verdicts.refuse(row, 'project', 'is not the project of the stored invoice; add the column Invoice Number')
}

/** Refuses a row whose amount does not fit its type, or whose type differs from the stored one, which is part of its id. */
function checkAmount(
  { fields, verdicts }: BatchContext,
  row: Row,
  type: TransactionType,
  stored: StoredTransaction | undefined,
) {
  const { amount } = row.values
  if (amount === '0.00') verdicts.refuse(row, 'amount', 'is zero')
  const hasType = !fields.includes('type') || row.values.type !== undefined
  if (hasType && type !== 'adjustment' && amount?.startsWith('-'))
    verdicts.refuse(
      row,
      'amount',
      'is negative; write money that went back as a positive amount with Type refund, or reversal for a payment that came back',
    )
  if (hasType && stored && stored.type !== type)
    verdicts.refuse(row, 'type', 'differs from the loaded type; a transaction keeps its type, so use a new Payment ID')
}

/** The error thrown when an invoice moved to a project that this batch has not locked; retried like any conflict. */
class InvoiceMoved extends Error {
  readonly code = '40001'
}

type PlacedPayment = Placed & { type: TransactionType; invoice: InvoiceRef | undefined }

/** Returns the rows that can be written, with their projects and invoices. The projects stay locked until the transaction ends. */
async function place(context: BatchContext, batch: Row[]): Promise<PlacedPayment[]> {
  const { books, verdicts } = context
  const named = { projects: referencesOf(batch, 'project'), invoices: referencesOf(batch, 'invoice') }
  const projects = await books.projects(named)
  const invoices = await books.invoices(named.invoices)
  const known = await books.transactions(referencesOf(batch, 'reference'))
  const placed = await inSlices(batch, (row): PlacedPayment[] => {
    const stored = known.get(row.values.reference ?? '')
    const invoice = invoices.get(row.values.invoice ?? '')
    const ofInvoice = invoice && projects.byId.get(invoice.projectId)
    if (invoice && !ofInvoice) throw new InvoiceMoved('an invoice moved to another project in the meantime')
    const project = row.values.project ? projects.byReference.get(row.values.project) : ofInvoice
    const type = typeOf(row, stored)
    checkLinks(context, row, { project, invoice, stored })
    checkAmount(context, row, type, stored)
    if (!project || !verdicts.isSound(row)) return []
    const prefix = momentIdPrefix(ID_PREFIX[type], project.id)
    return [{ row, project, prefix, createdAt: createdAt(row), storedId: stored?.id, type, invoice }]
  })
  return placed.flat()
}

/** Writes revenue transactions for the projects or invoices they name. */
export const writePayments: WriteBatch = async (context, batch) => {
  const { books, contractor, fields } = context
  refuseKept(context, batch)
  const placed = await books.chooseIds('transaction', await place(context, batch))
  const fill = valuesReader(payments, contractor)
  const records = await inSlices(placed, ({ row, project, createdAt, id, type, invoice }): UpsertRecord => {
    const record = fill(row, commonOf(row, contractor.id, id))
    record.created_at = createdAt
    record.amount = amountOf(row)
    record.type = type
    record.project_id = project.id
    record.customer_id = project.customerId
    record.invoice_id = invoice?.id ?? null
    return record
  })
  const columns = columnsFor(fields, {
    ...COMMON,
    type: ['text'],
    project_id: ['text', 'reference'],
    customer_id: ['text', 'reference', 'follows'],
    invoice_id: ['text', 'invoice'],
    ...recordColumns(payments),
  })
  return upsert(books, 'analytics_revenue_transactions', columns, records)
}
