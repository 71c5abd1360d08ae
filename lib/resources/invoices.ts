import * as z from 'zod'
import { invoiceRecords } from '@/db/schema'
import { CREATED, INVOICE_HEADERS, PROJECT_HEADERS } from './csv'
import { defineResource, SOURCE_REFERENCE } from './define'
import { Amount, Currency, FilterId, FromMoment, Instant, LeastAmount, severalOf, ToMoment } from './fields'

/** The status of specification 2.4 and 3.1. The trigger that maintains it explains how it follows from dates and payments. */
export const InvoiceStatus = z.enum(['paid', 'overdue', 'current', 'future'])

/** Words that office software uses for the states of an invoice, by what they mean for the books. */
const STATUS_WORDS = {
  paid: ['paid in full', 'fully paid', 'closed', 'settled', 'yes', 'y', 'true'],
  void: ['voided', 'cancelled', 'canceled', 'deleted'],
  draft: ['unsent', 'not sent', 'awaiting approval', 'submitted', 'unreleased', 'not approved', 'upcoming'],
  uncollectible: ['bad debt', 'written off', 'write off'],
  not_known: ['payment not known'],
  open: [
    'no',
    'n',
    'false',
    'unpaid',
    'released',
    'partially paid online',
    'sent',
    'viewed',
    'emailed',
    'delivered',
    'issued',
    'invoiced',
    'posted',
    'approved',
    'authorized',
    'pending',
    'awaiting payment',
    'outstanding',
    'due',
    'not due',
    'past due',
    'late',
    'overdue',
    'current',
    'future',
    'partial',
    'partially paid',
    'partial payment',
  ],
} satisfies Record<string, string[]>

/** The amount still to be paid: retainage is held back, and what a customer has in credit is no negative debt (docs/accounting.md). */
export const UNPAID = `case status when 'future' then 0.00 else greatest(open_amount - retainage_amount, 0.00) end`
/** What an invoice dated ahead asks for, whole: it is in no sum of what is unpaid. */
const FUTURE = `case status when 'future' then greatest(open_amount, 0.00) else 0.00 end`

/** Invoices, built from the analytics invoice records. */
export const invoices = defineResource({
  name: 'invoices',
  singular: 'invoice',
  idPrefix: 'inv',
  scopeText: 'Read invoices and what is owed',
  table: invoiceRecords,
  turnsAt: invoiceRecords.turnsAt,
  output: z.object({
    id: z.string().describe('`inv_<project id>_<epoch milliseconds>`'),
    projectId: z.string(),
    contractorId: z.string(),
    customerId: z.string(),
    number: z.string().describe('Invoice number'),
    amount: Amount.describe('In `currency`, to the cent'),
    currency: Currency,
    date: Instant.describe('Invoice date; a plain day is midnight UTC'),
    dueDate: Instant.describe('Due date; it has passed when its day is over for the contractor'),
    status: InvoiceStatus,
    createdAt: Instant,
    updatedAt: Instant,
  }),
  columns: {
    id: invoiceRecords.id,
    projectId: invoiceRecords.projectId,
    contractorId: invoiceRecords.contractorId,
    customerId: invoiceRecords.customerId,
    number: invoiceRecords.number,
    amount: invoiceRecords.amount,
    currency: invoiceRecords.currency,
    date: invoiceRecords.invoiceDate,
    dueDate: invoiceRecords.dueDate,
    status: invoiceRecords.status,
    createdAt: invoiceRecords.createdAt,
    updatedAt: invoiceRecords.updatedAt,
  },
  filters: {
    status: {
      column: invoiceRecords.status,
      operator: 'in',
      schema: severalOf(InvoiceStatus.options).describe('Only in these statuses'),
    },
    customerId: {
      column: invoiceRecords.customerId,
      operator: '=',
      schema: FilterId.describe('Only of this customer'),
    },
    projectId: { column: invoiceRecords.projectId, operator: '=', schema: FilterId.describe('Only of this project') },
    from: { column: invoiceRecords.invoiceDate, operator: '>=', schema: FromMoment },
    to: { column: invoiceRecords.invoiceDate, operator: '<', schema: ToMoment },
    dueFrom: {
      column: invoiceRecords.dueDate,
      operator: '>=',
      schema: FromMoment.describe('First due day (UTC) or moment'),
      beyondForm: true,
    },
    dueTo: {
      column: invoiceRecords.dueDate,
      operator: '<',
      schema: ToMoment.describe('Last due day (whole, UTC) or moment'),
      beyondForm: true,
    },
    minAmount: { column: invoiceRecords.amount, operator: '>=', schema: LeastAmount, beyondForm: true },
  },
  sorts: { amount: invoiceRecords.amount, date: invoiceRecords.invoiceDate, dueDate: invoiceRecords.dueDate },
  details: {
    sourceReference: SOURCE_REFERENCE,
    paidAmount: {
      schema: Amount.describe('Payments less refunds and reversals, in `currency`'),
      sql: 'paid_amount',
      kind: 'number',
    },
    refundedAmount: { schema: Amount.describe('Money that went back'), sql: 'refunded_amount', kind: 'number' },
    reversedAmount: { schema: Amount.describe('Payments that came back'), sql: 'reversed_amount', kind: 'number' },
    creditedAmount: { schema: Amount.describe('Credits and adjustments'), sql: 'credited_amount', kind: 'number' },
    writtenOffAmount: {
      schema: Amount.describe('Given up as uncollectible'),
      sql: 'written_off_amount',
      kind: 'number',
    },
    retainage: {
      schema: Amount.describe('Held back until the work is accepted'),
      sql: 'least(retainage_amount, greatest(open_amount, 0.00))',
      kind: 'number',
    },
    balance: {
      schema: Amount.describe('What is still owed, retainage included, in `currency`'),
      sql: 'greatest(open_amount, 0.00)',
      kind: 'number',
    },
    paidAt: {
      schema: Instant.describe('When it was paid, as the contractor’s software says; absent when only payments say so'),
      sql: 'settled_at',
      kind: 'instant',
    },
  },
  links: [
    { to: 'project', column: invoiceRecords.projectId, listed: true },
    { to: 'customer', column: invoiceRecords.customerId, listed: true },
  ],
  dated: invoiceRecords.invoiceDate,
  tool: {
    category: 'finance',
    description:
      'Invoices: what was billed, what is unpaid, when it is due. For what is owed by age use get_receivables_aging.',
    told: {
      unpaid: { schema: Amount.describe('What is still to be paid'), sql: UNPAID, kind: 'number', example: 0 },
      future: { schema: Amount.describe('The same, dated ahead'), sql: FUTURE, kind: 'number', example: 0 },
    },
    sums: {
      currency: 'currency',
      amount: 'amount',
      unpaid: UNPAID,
      future: FUTURE,
    },
  },
  csv: {
    file: 'invoices.csv',
    columns: [
      {
        field: 'reference',
        headers: INVOICE_HEADERS,
        required: true,
        cell: 'reference',
      },
      {
        field: 'number',
        alsoOf: 'reference',
        headers: INVOICE_HEADERS,
        cell: 'reference',
        column: invoiceRecords.number,
      },
      { field: 'project', headers: PROJECT_HEADERS, required: true, cell: 'reference' },
      {
        field: 'amount',
        headers: ['Amount', 'Total', 'Invoice Amount'],
        required: true,
        cell: 'money',
        column: invoiceRecords.amount,
      },
      { field: 'currency', headers: ['Currency'], cell: 'currency', column: invoiceRecords.currency },
      {
        field: 'date',
        headers: ['Date', 'Invoice Date'],
        required: true,
        cell: 'moment',
        column: invoiceRecords.invoiceDate,
      },
      { field: 'dueDate', headers: ['Due Date', 'Due'], cell: 'moment', column: invoiceRecords.dueDate },
      {
        field: 'settledAt',
        headers: ['Paid Date', 'Date Paid', 'Paid On'],
        cell: 'moment',
        column: invoiceRecords.settledAt,
      },
      { field: 'status', headers: ['Status', 'Invoice Status'], cell: { oneOfOrNone: STATUS_WORDS } },
      {
        field: 'balance',
        headers: ['Balance', 'Open Balance', 'Balance Due', 'Amount Due', 'Invoice Amount Due', 'Invoice Balance Due'],
        cell: 'money',
      },
      {
        field: 'retainage',
        headers: ['Retainage', 'Retention', 'Retainage Held'],
        cell: 'sum',
        column: invoiceRecords.retainageAmount,
        blank: '0.00',
      },
      CREATED,
    ],
  },
  pagesWithoutTokens: true,
  example: {
    id: 'inv_prj_01jb2wa0c5t7e9g1h3k5m7p9qr_1760281445123',
    projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
    contractorId: 'con_01jb2w7n6d8f0h2k4m6p8r0t2v',
    customerId: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
    number: '26-0107-1',
    amount: 7380.3,
    currency: 'USD',
    date: '2026-10-12T00:00:00.000Z',
    dueDate: '2026-11-11T00:00:00.000Z',
    status: 'paid',
    createdAt: '2026-10-12T15:04:05.123Z',
    updatedAt: '2026-11-02T09:30:00.000Z',
  },
})
