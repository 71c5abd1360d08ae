import * as z from 'zod'
import { revenueTransactions, type TransactionType } from '@/db/schema'
import { CREATED, INVOICE_HEADERS, LONGEST_TEXT, PROJECT_HEADERS } from './csv'
import { defineResource, SOURCE_REFERENCE } from './define'
import { Amount, Currency, FilterId, FromMoment, Instant, LeastAmount, ToMoment } from './fields'

/** The method of a payment; also held by a check constraint. */
const PaymentMethod = z.enum(['card', 'ach', 'check', 'cash', 'wire', 'other'])

/** Words that office software uses for them, and for what a transaction is. */
const METHOD_WORDS = {
  card: ['credit card', 'debit card', 'debit', 'cc', 'visa', 'mastercard', 'amex', 'american express', 'discover'],
  ach: ['ach transfer', 'bank transfer', 'eft', 'direct deposit', 'echeck'],
  check: ['cheque', 'chk'],
  cash: [],
  wire: ['wire transfer'],
  other: [],
} satisfies Record<z.infer<typeof PaymentMethod>, string[]>
/** Words for what a transaction is; a credit is stored as an adjustment. */
const TYPE_WORDS = {
  payment_received: ['payment', 'received', 'deposit', 'down payment', 'prepayment', 'retainer', 'unapplied payment'],
  refund: ['refunded'],
  adjustment: ['adjust'],
  credit: ['credit memo', 'credit note', 'discount', 'customer credit'],
  reversal: [
    'reversed',
    'payment reversal',
    'returned',
    'returned payment',
    'returned check',
    'bounced',
    'bounced check',
    'nsf',
    'chargeback',
    'dispute',
    'voided payment',
  ],
  write_off: ['written off', 'bad debt', 'uncollectible'],
} satisfies Record<Exclude<TransactionType, 'allocation'> | 'credit', string[]>

/** Payments: the analytics revenue transactions of type payment received. */
export const payments = defineResource({
  name: 'payments',
  singular: 'payment',
  idPrefix: 'pay',
  scopeText: 'Read received payments',
  table: revenueTransactions,
  only: `type = 'payment_received'`,
  output: z.object({
    id: z.string().describe('`pay_<project id>_<epoch milliseconds>`'),
    projectId: z.string(),
    contractorId: z.string(),
    customerId: z.string(),
    amount: Amount.describe('In `currency`, to the cent'),
    currency: Currency,
    date: Instant.describe('When it was received; a plain day is midnight UTC'),
    method: PaymentMethod,
    methodDetail: z.string().optional().describe('As its source wrote it: `Zelle`'),
    reference: z.string().optional().describe('External transaction reference, such as a check number'),
    createdAt: Instant,
    updatedAt: Instant,
  }),
  columns: {
    id: revenueTransactions.id,
    projectId: revenueTransactions.projectId,
    contractorId: revenueTransactions.contractorId,
    customerId: revenueTransactions.customerId,
    amount: revenueTransactions.amount,
    currency: revenueTransactions.currency,
    date: revenueTransactions.date,
    method: revenueTransactions.method,
    methodDetail: revenueTransactions.methodDetail,
    reference: revenueTransactions.reference,
    createdAt: revenueTransactions.createdAt,
    updatedAt: revenueTransactions.updatedAt,
  },
  filters: {
    customerId: {
      column: revenueTransactions.customerId,
      operator: '=',
      schema: FilterId.describe('Only of this customer'),
    },
    projectId: {
      column: revenueTransactions.projectId,
      operator: '=',
      schema: FilterId.describe('Only of this project'),
    },
    from: { column: revenueTransactions.date, operator: '>=', schema: FromMoment },
    to: { column: revenueTransactions.date, operator: '<', schema: ToMoment },
    minAmount: { column: revenueTransactions.amount, operator: '>=', schema: LeastAmount, beyondForm: true },
  },
  sorts: { amount: revenueTransactions.amount, date: revenueTransactions.date },
  details: {
    sourceReference: SOURCE_REFERENCE,
    type: { schema: z.literal('payment_received'), sql: 'type', kind: 'text' },
    invoiceId: { schema: z.string().describe('The invoice it is for'), sql: 'invoice_id', kind: 'text' },
  },
  links: [
    { to: 'project', column: revenueTransactions.projectId, listed: true },
    { to: 'customer', column: revenueTransactions.customerId, listed: true },
    {
      to: 'invoice',
      column: revenueTransactions.invoiceId,
      listed: true,
      description: 'The invoice it is for; absent when it names none',
    },
  ],
  dated: revenueTransactions.date,
  tool: {
    category: 'finance',
    description:
      'Payments received: which customer paid, when, how much and how. For sums by week or month use get_cash_flow.',
    sums: { currency: 'currency', amount: 'amount' },
    untrusted: ['reference'],
  },
  csv: {
    file: 'payments.csv',
    oneOf: ['project', 'invoice'],
    columns: [
      {
        field: 'reference',
        headers: ['Payment ID', 'Payment Number', 'Transaction ID'],
        required: true,
        cell: 'reference',
      },
      { field: 'project', headers: PROJECT_HEADERS, cell: 'reference' },
      { field: 'invoice', headers: INVOICE_HEADERS, cell: 'reference' },
      {
        field: 'amount',
        headers: ['Amount', 'Total'],
        required: true,
        cell: 'money',
        column: revenueTransactions.amount,
      },
      { field: 'currency', headers: ['Currency'], cell: 'currency', column: revenueTransactions.currency },
      {
        field: 'date',
        headers: ['Date', 'Payment Date'],
        required: true,
        cell: 'moment',
        column: revenueTransactions.date,
      },
      {
        field: 'method',
        headers: ['Method', 'Payment Method'],
        cell: { oneOfOrNone: METHOD_WORDS, noneIs: 'other, and is kept as written' },
        column: revenueTransactions.method,
        blank: 'other',
      },
      {
        field: 'methodDetail',
        alsoOf: 'method',
        headers: ['Method', 'Payment Method'],
        cell: { text: LONGEST_TEXT },
        column: revenueTransactions.methodDetail,
      },
      {
        field: 'externalReference',
        headers: ['Reference', 'Check Number', 'Transaction Reference'],
        cell: { text: 200 },
        column: revenueTransactions.reference,
      },
      { field: 'type', headers: ['Type', 'Transaction Type'], cell: { oneOf: TYPE_WORDS } },
      CREATED,
    ],
  },
  pagesWithoutTokens: true,
  example: {
    id: 'pay_prj_01jb2wa0c5t7e9g1h3k5m7p9qr_1762075800000',
    projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
    contractorId: 'con_01jb2w7n6d8f0h2k4m6p8r0t2v',
    customerId: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
    amount: 7380.3,
    currency: 'USD',
    date: '2026-11-02T00:00:00.000Z',
    method: 'check',
    reference: 'CHK 10482',
    createdAt: '2026-11-02T09:30:00.000Z',
    updatedAt: '2026-11-02T09:30:00.000Z',
  },
})
