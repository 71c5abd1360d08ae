import * as z from 'zod'
import { database } from '@/db/client'
import { transactionsOf } from '@/db/queries/transactions'
import { resources } from '@/lib/resources/registry'
import { type Context, defineOperation } from '../define'
import { contractorDays } from '../reports/fields'
import { type DeskRecord, IdInput, readLinked, readRecord, recordSchema, Transactions } from './parts'

const { customers, projects, invoices, payments } = resources

/** The most transactions of one invoice or payment that are told. */
const MOST = 100

/** Whose an invoice or payment is. */
const OWNERS = { customer: recordSchema(customers), project: recordSchema(projects) }
const SOME_OWNERS = {
  customer: { ...customers.example, unpaid: 0, overdue: 0 },
  project: { ...projects.example, unpaid: 0, overdue: 0 },
}

async function readOwners(ctx: Context, record: DeskRecord) {
  const [customer, project] = await Promise.all([
    readLinked(customers, ctx, record, 'customerId'),
    readLinked(projects, ctx, record, 'projectId'),
  ])
  return { customer: OWNERS.customer.parse(customer), project: OWNERS.project.parse(project) }
}

/** Returns an invoice: what is open of it, and all that was paid, credited and given back on it. */
export const viewInvoice = defineOperation({
  name: 'view_invoice',
  title: 'An invoice',
  description:
    'An invoice with balance and days late, its customer and project, and what was paid, credited, written off and given back on it, the first first.',
  access: ['read:invoices', 'read:payments', 'read:customers', 'read:projects'],
  effect: 'read',
  input: IdInput,
  output: z.object({
    record: recordSchema(invoices),
    ...OWNERS,
    timeline: Transactions.describe(`At most ${MOST}`),
  }),
  example: {
    record: { ...invoices.example, balance: 0, unpaid: 0 },
    ...SOME_OWNERS,
    timeline: [],
  },
  run: async (ctx, { id }) => {
    const { contractorId } = ctx.actor
    const db = await database()
    const record = await readRecord(db, invoices, ctx, id)
    const { today } = await contractorDays(db, contractorId, ctx.now)
    const [owners, timeline] = await Promise.all([
      readOwners(ctx, record),
      transactionsOf(db, 'invoice', { contractorId, id, today, limit: MOST }),
    ])
    return {
      record: recordSchema(invoices).parse(record),
      ...owners,
      timeline: Transactions.parse(JSON.parse(timeline)),
    }
  },
})

/** Returns a payment, and what it was applied to. */
export const viewPayment = defineOperation({
  name: 'view_payment',
  title: 'A payment',
  description:
    'A payment with its customer and project, the invoice it names, and what of it was allocated to other invoices.',
  access: ['read:invoices', 'read:payments', 'read:customers', 'read:projects'],
  effect: 'read',
  input: IdInput,
  output: z.object({
    record: recordSchema(payments),
    ...OWNERS,
    invoice: recordSchema(invoices).nullable().describe('The invoice it names; null without one'),
    allocations: Transactions.describe(
      `What of it was moved to each invoice, and with a minus where it was taken from; at most ${MOST}`,
    ),
  }),
  example: {
    record: payments.example,
    ...SOME_OWNERS,
    invoice: null,
    allocations: [],
  },
  run: async (ctx, { id }) => {
    const { contractorId } = ctx.actor
    const db = await database()
    const record = await readRecord(db, payments, ctx, id)
    const { today } = await contractorDays(db, contractorId, ctx.now)
    const [owners, invoice, allocations] = await Promise.all([
      readOwners(ctx, record),
      readLinked(invoices, ctx, record, 'invoiceId'),
      transactionsOf(db, 'payment', { contractorId, id, today, limit: MOST }),
    ])
    return {
      record: recordSchema(payments).parse(record),
      ...owners,
      invoice: invoice && recordSchema(invoices).parse(invoice),
      allocations: Transactions.parse(JSON.parse(allocations)),
    }
  },
})
