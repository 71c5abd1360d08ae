import type { Orm } from '@/db/client'
import {
  invoicesByReference,
  lockProjects,
  type ProjectRef,
  type RecordKind,
  type StoredRecord,
  storedRecords,
  takenMilliseconds,
  usersByReference,
} from '@/db/queries/load'
import { type UpsertColumn, type UpsertCounts, type UpsertRecord, upsertByReference } from '@/db/queries/upsert'
import type { TransactionType } from '@/db/schema'
import { parsePhone } from '@/lib/core/contact'
import { invoiceId, newId, transactionId } from '@/lib/core/ids'
import type { Row } from './rows'

/** What a batch is written for, and how a row that cannot be is refused. */
export type BatchContext = {
  orm: Orm
  contractor: { id: string; currency: string }
  /** The fields the file has; a stored value whose column it lacks stays. */
  fields: string[]
  refuse(row: Row, field: string, reason: string): void
}

export type WriteBatch = (context: BatchContext, batch: Row[]) => Promise<UpsertCounts>

const referencesOf = (batch: Row[], field: string) => [...new Set(batch.flatMap(({ values }) => values[field] ?? []))]
const orNull = (row: Row, field: string) => row.values[field] ?? null
const createdAt = (row: Row) => row.values.createdAt ?? new Date().toISOString()

/** Columns of an upsert: always set when a row is added; changed in one that is there when the file has the field. */
function columnsFor(fields: string[], columns: Record<string, [type: string, field?: string]>): UpsertColumn[] {
  return Object.entries(columns).map(([column, [type, field]]) => ({
    column,
    type,
    update: field !== undefined && fields.includes(field),
  }))
}

const COMMON = {
  id: ['text'],
  contractor_id: ['text'],
  source_reference: ['text'],
  created_at: ['timestamptz'],
} satisfies Record<string, [string, string?]>
const ADDRESS = {
  address: ['text', 'address'],
  city: ['text', 'city'],
  state: ['text', 'state'],
  zip: ['text', 'zip'],
} satisfies Record<string, [string, string?]>

function addressOf(row: Row): UpsertRecord {
  const state = orNull(row, 'state')
  return {
    address: orNull(row, 'address'),
    city: orNull(row, 'city'),
    zip: orNull(row, 'zip'),
    state: state?.length === 2 ? state.toUpperCase() : state,
  }
}

const commonOf = (row: Row, contractorId: string): UpsertRecord => ({
  contractor_id: contractorId,
  source_reference: orNull(row, 'reference'),
  created_at: createdAt(row),
})

/** Writes home-owners. */
export const writeCustomers: WriteBatch = async ({ orm, contractor, fields }, batch) => {
  const columns = columnsFor(fields, {
    ...COMMON,
    name: ['text', 'name'],
    email: ['text', 'email'],
    phone: ['text', 'phone'],
    phone_raw: ['text', 'phone'],
    ...ADDRESS,
  })
  const records = batch.map((row) => ({
    id: newId('user'),
    ...commonOf(row, contractor.id),
    name: orNull(row, 'name'),
    email: orNull(row, 'email'),
    phone: (row.values.phone && parsePhone(row.values.phone)) || null,
    phone_raw: orNull(row, 'phone'),
    ...addressOf(row),
  }))
  return upsertByReference(orm, 'users', columns, records)
}

/** Writes projects for the home-owners they name. */
export const writeProjects: WriteBatch = async ({ orm, contractor, fields, refuse }, batch) => {
  const customers = await usersByReference(orm, contractor.id, referencesOf(batch, 'customer'))
  const records = batch.flatMap((row) => {
    const customerId = customers.get(row.values.customer ?? '')
    if (customerId === undefined) {
      refuse(row, 'customer', 'no customer with this id is loaded; add it to customers.csv')
      return []
    }
    const { startDate = null, endDate = null, description = null, name = null } = row.values
    const record = {
      id: newId('project'),
      ...commonOf(row, contractor.id),
      customer_id: customerId,
      name,
      ...addressOf(row),
    }
    const work = {
      status: row.values.status ?? 'estimate',
      total_amount: row.values.totalAmount ?? '0.00',
      description,
      start_date: startDate,
      end_date: endDate,
    }
    return [{ ...record, ...work }]
  })
  const columns = columnsFor(fields, {
    ...COMMON,
    customer_id: ['text', 'customer'],
    name: ['text', 'name'],
    status: ['text', 'status'],
    total_amount: ['numeric(14,2)', 'totalAmount'],
    description: ['text', 'description'],
    start_date: ['date', 'startDate'],
    end_date: ['date', 'endDate'],
    ...ADDRESS,
  })
  return upsertByReference(orm, 'projects', columns, records)
}

type Placed = { row: Row; project: ProjectRef; createdAt: string }

/**
 * Gives every new record its millisecond: that of its creation, or the next one no other record of its project has. The
 * projects are locked, so what is free here stays free. Records that are stored keep theirs.
 */
async function chooseMilliseconds(
  orm: Orm,
  kind: RecordKind,
  placed: Placed[],
  stored: Map<string, StoredRecord>,
): Promise<number[]> {
  const wanted = placed.map(({ project, createdAt }) => ({ projectId: project.id, ms: Date.parse(createdAt) }))
  const isNew = placed.map(({ row }) => !stored.has(row.values.reference ?? ''))
  const taken = await takenMilliseconds(
    orm,
    kind,
    wanted.filter((_, i) => isNew[i]),
  )
  const given = new Set<string>()
  return placed.map(({ row }, i) => {
    const known = stored.get(row.values.reference ?? '')
    if (known) return known.epochMs
    const { projectId = '', ms: wish = 0 } = wanted[i] ?? {}
    const last = taken.get(`${projectId} ${wish}`)
    let ms = last === undefined ? wish : last + 1
    while (given.has(`${projectId} ${ms}`)) ms++
    given.add(`${projectId} ${ms}`)
    return ms
  })
}

const isNegative = (amount: string | null | undefined) => amount?.startsWith('-') ?? false
const isZero = (amount: string | null | undefined) => amount === '0.00'

/** Writes invoices for the projects they name. */
export const writeInvoices: WriteBatch = async ({ orm, contractor, fields, refuse }, batch) => {
  const projects = await lockProjects(orm, contractor.id, { references: referencesOf(batch, 'project'), ids: [] })
  const placed = batch.flatMap((row): Placed[] => {
    const project = projects.get(row.values.project ?? '')
    if (!project) refuse(row, 'project', 'no project with this id is loaded; add it to projects.csv')
    else if (isNegative(row.values.amount)) refuse(row, 'amount', 'is negative; an invoice is zero or more')
    else return [{ row, project, createdAt: createdAt(row) }]
    return []
  })
  const stored = await storedRecords(
    orm,
    'invoice',
    contractor.id,
    placed.map(({ row }) => row.values.reference ?? ''),
  )
  const milliseconds = await chooseMilliseconds(orm, 'invoice', placed, stored)
  const records = placed.map(({ row, project, createdAt }, i): UpsertRecord => {
    const { reference = null, amount = null, currency, date = null, dueDate, settledAt = null } = row.values
    const epochMs = milliseconds[i] ?? 0
    const identity = {
      id: stored.get(reference ?? '')?.id ?? invoiceId(project.id, epochMs),
      epoch_ms: epochMs,
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
    epoch_ms: ['bigint'],
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

const typeOf = (row: Row): TransactionType => {
  const { type } = row.values
  return type === 'refund' || type === 'adjustment' ? type : 'payment_received'
}

/** Why a payment's sum cannot be, or undefined. */
function sumFault(row: Row): string | undefined {
  if (isZero(row.values.amount)) return 'is zero'
  return typeOf(row) !== 'adjustment' && isNegative(row.values.amount)
    ? 'is negative; write a refund as a positive amount with Type refund'
    : undefined
}

/** Writes revenue transactions for the projects or invoices they name. */
export const writePayments: WriteBatch = async ({ orm, contractor, fields, refuse }, batch) => {
  const invoices = await invoicesByReference(orm, contractor.id, referencesOf(batch, 'invoice'))
  const ids = [...invoices.values()].map(({ projectId }) => projectId)
  const projects = await lockProjects(orm, contractor.id, { references: referencesOf(batch, 'project'), ids })
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
  const milliseconds = await chooseMilliseconds(orm, 'transaction', placed, stored)
  const records = placed.map(({ row, project, createdAt }, i): UpsertRecord => {
    const { reference = null, amount = null, currency, date = null, method, externalReference = null } = row.values
    const [epochMs, type] = [milliseconds[i] ?? 0, typeOf(row)]
    const identity = {
      id: stored.get(reference ?? '')?.id ?? transactionId(type, project.id, epochMs),
      epoch_ms: epochMs,
      type,
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
    epoch_ms: ['bigint'],
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
