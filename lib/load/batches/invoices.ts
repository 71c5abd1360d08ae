import type { UpsertRecord } from '@/db/queries/upsert'
import { momentIdPrefix } from '@/lib/core/ids'
import { inSlices } from '@/lib/core/slices'
import { invoices } from '@/lib/resources/invoices'
import type { Row } from '../rows'
import {
  type BatchContext,
  COMMON,
  columnsFor,
  commonOf,
  createdAt,
  MOST_UNISSUED,
  orNull,
  referencesOf,
  refuseKept,
  upsert,
  type WriteBatch,
} from './batch'
import type { Placed } from './ids'
import { recordColumns, valuesReader } from './record'

/** Reports whether a row is an invoice that is not there for the books: a void one is gone, and a draft has not been issued. */
const isNone = ({ values }: Row) => values.status === 'void' || values.status === 'draft'

/** Returns the rows that can be written, with their projects. The projects stay locked until the transaction ends. */
async function place({ books, verdicts }: BatchContext, batch: Row[]): Promise<Placed[]> {
  const projects = await books.projects({ projects: referencesOf(batch, 'project'), invoices: [] })
  const stored = await books.invoices(referencesOf(batch, 'reference'))
  const placed = await inSlices(batch, (row): Placed[] => {
    const project = projects.byReference.get(row.values.project ?? '')
    if (!project) verdicts.refuse(row, 'project', 'no project with this id is loaded; add it to projects.csv')
    if (!project || !verdicts.isSound(row)) return []
    const storedId = stored.get(row.values.reference ?? '')?.id
    return [
      { row, project, prefix: momentIdPrefix(invoices.idPrefix, project.id), createdAt: createdAt(row), storedId },
    ]
  })
  return placed.flat()
}

const isZero = (amount: string) => Number(amount) === 0

/** Names what a row says about its own payment that cannot all be true; the balance counts before the status and the paid date. */
function checkStatement({ verdicts }: BatchContext, row: Row): void {
  const { status, balance, settledAt, amount } = row.values
  const owes = balance != null && !isZero(balance)
  if (status === 'paid' && owes) verdicts.note(row, 'balance', 'Status says paid; the balance counts')
  if (settledAt && owes) verdicts.note(row, 'balance', 'a Paid Date is given; the balance counts')
  if (status === 'uncollectible')
    verdicts.note(row, 'status', 'says that nobody will pay it; a write-off in payments.csv takes it off what is owed')
  if (status === 'open' && settledAt && balance == null)
    verdicts.note(row, 'status', 'a Paid Date is given; the paid date counts')
  if (status === 'open' && balance != null && !owes && amount && !isZero(amount))
    verdicts.note(row, 'status', 'the balance is zero; the balance counts')
  if (owes && amount && Number(balance) / Number(amount) > 1)
    verdicts.note(row, 'balance', 'is more than the amount; what the payments leave of the amount counts')
}

/** Returns what the file says is open; null when it says nothing. */
const statedBalance = ({ values: { balance, status } }: Row): string | null =>
  balance ?? (status === 'paid' ? '0.00' : null)

/** Writes invoices for the projects they name. Those that are void or drafts are deleted where an earlier file had them. */
export const writeInvoices: WriteBatch = async (context, batch) => {
  const { books, contractor, fields, unissued, verdicts } = context
  refuseKept(context, batch)
  const none = batch.filter((row) => isNone(row) && verdicts.isSound(row))
  const removed = await books.removeInvoices(referencesOf(none, 'reference'))
  for (const number of referencesOf(none, 'reference')) if (unissued.size < MOST_UNISSUED) unissued.add(number)
  const rows = batch.filter((row) => !isNone(row) || !verdicts.isSound(row))
  const placed = await books.chooseIds('invoice', await place(context, rows))
  const fill = valuesReader(invoices, contractor)
  const records = await inSlices(placed, ({ row, project, createdAt, id }): UpsertRecord => {
    checkStatement(context, row)
    const record = fill(row, commonOf(row, contractor.id, id))
    record.created_at = createdAt
    record.project_id = project.id
    record.customer_id = project.customerId
    record.due_date = row.values.dueDate ?? orNull(row, 'date')
    record.stated_balance = statedBalance(row)
    record.payment_known = row.values.status === 'not_known' ? 'false' : 'true'
    return record
  })
  const columns = columnsFor(fields, {
    ...COMMON,
    project_id: ['text', 'project'],
    customer_id: ['text', 'project', 'follows'],
    payment_known: ['boolean', 'status'],
    stated_balance: ['numeric(14, 2)', fields.includes('balance') ? 'balance' : 'status'],
    ...recordColumns(invoices),
  })
  const { added, updated } = await upsert(books, 'analytics_invoice_records', columns, records)
  return { added, updated: updated + removed }
}
