import * as z from 'zod'
import { estimates as table } from '@/db/schema'
import { CREATED, CUSTOMER_HEADERS, PROJECT_HEADERS } from './csv'
import { defineResource, SOURCE_REFERENCE } from './define'
import { Amount, Currency, FilterId, FromMoment, Instant, LeastAmount, severalOf, ToMoment } from './fields'

/**
 * The statuses of an estimate. `sent` becomes `expired` with time; a trigger maintains this. A check constraint enforces the
 * values.
 */
const EstimateStatus = z.enum(['draft', 'sent', 'accepted', 'declined', 'expired'])

/** Words that office software uses for them. */
const STATUS_WORDS = {
  draft: ['new', 'unsent', 'not sent', 'in progress'],
  sent: ['pending', 'open', 'delivered', 'viewed', 'awaiting response'],
  accepted: ['approved', 'won', 'signed', 'converted', 'invoiced'],
  declined: ['rejected', 'lost', 'refused'],
  expired: ['lapsed'],
} satisfies Record<z.infer<typeof EstimateStatus>, string[]>

/** Estimates (quotes) that the contractor sends to customers. */
export const estimates = defineResource({
  name: 'estimates',
  singular: 'estimate',
  idPrefix: 'est',
  scopeText: 'Read estimates sent to customers',
  table,
  turnsAt: table.turnsAt,
  output: z.object({
    id: z.string(),
    contractorId: z.string(),
    customerId: z.string(),
    projectId: z.string().optional().describe('The project it is for; absent when it is for none yet'),
    number: z.string().describe('Estimate number'),
    amount: Amount.describe('In `currency`, to the cent'),
    currency: Currency,
    date: Instant.describe('Estimate date; a plain day is midnight UTC'),
    validUntil: Instant.optional().describe('Valid through this day (UTC); absent when it does not expire'),
    status: EstimateStatus.describe('`expired` once the day of validUntil is over and it is still `sent`'),
    createdAt: Instant,
    updatedAt: Instant,
  }),
  columns: {
    id: table.id,
    contractorId: table.contractorId,
    customerId: table.customerId,
    projectId: table.projectId,
    number: table.number,
    amount: table.amount,
    currency: table.currency,
    date: table.estimateDate,
    validUntil: table.validUntil,
    status: table.status,
    createdAt: table.createdAt,
    updatedAt: table.updatedAt,
  },
  filters: {
    status: {
      column: table.status,
      operator: 'in',
      schema: severalOf(EstimateStatus.options).describe('Only in these statuses'),
    },
    customerId: {
      column: table.customerId,
      operator: '=',
      schema: FilterId.describe('Only for this customer'),
    },
    projectId: { column: table.projectId, operator: '=', schema: FilterId.describe('Only for this project') },
    from: { column: table.estimateDate, operator: '>=', schema: FromMoment },
    to: { column: table.estimateDate, operator: '<', schema: ToMoment },
    minAmount: { column: table.amount, operator: '>=', schema: LeastAmount, beyondForm: true },
  },
  sorts: { amount: table.amount, date: table.estimateDate },
  details: { sourceReference: SOURCE_REFERENCE },
  links: [
    { to: 'project', column: table.projectId, listed: true },
    { to: 'customer', column: table.customerId, listed: true },
  ],
  dated: table.estimateDate,
  tool: {
    category: 'finance',
    description: 'Estimates (quotes) sent to customers. What was billed is in list_invoices.',
    sums: { currency: 'currency', amount: 'amount' },
  },
  csv: {
    file: 'estimates.csv',
    columns: [
      {
        field: 'reference',
        headers: ['Estimate Number', 'Estimate ID', 'Estimate', 'Quote Number', 'Quote ID'],
        required: true,
        cell: 'reference',
      },
      {
        field: 'number',
        alsoOf: 'reference',
        headers: ['Estimate Number', 'Estimate ID', 'Estimate', 'Quote Number', 'Quote ID'],
        cell: 'reference',
        column: table.number,
      },
      {
        field: 'customer',
        headers: CUSTOMER_HEADERS,
        required: true,
        cell: 'reference',
        names: 'customer',
        column: table.customerId,
      },
      { field: 'project', headers: PROJECT_HEADERS, cell: 'reference', names: 'project', column: table.projectId },
      {
        field: 'amount',
        headers: ['Amount', 'Total', 'Estimate Amount'],
        required: true,
        cell: 'sum',
        column: table.amount,
      },
      { field: 'currency', headers: ['Currency'], cell: 'currency', column: table.currency },
      {
        field: 'date',
        headers: ['Date', 'Estimate Date', 'Quote Date'],
        required: true,
        cell: 'moment',
        column: table.estimateDate,
      },
      {
        field: 'validUntil',
        headers: ['Valid Until', 'Expires', 'Expiration Date', 'Expiry Date'],
        cell: 'moment',
        column: table.validUntil,
      },
      {
        field: 'status',
        headers: ['Status'],
        cell: { oneOf: STATUS_WORDS },
        column: table.statedStatus,
        blank: 'draft',
      },
      CREATED,
    ],
  },
  pagesWithoutTokens: true,
  example: {
    id: 'est_01jb2wc3d6f8h0k2n4q6s8v0x2',
    contractorId: 'con_01jb2w7n6d8f0h2k4m6p8r0t2v',
    customerId: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
    projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
    number: 'E-26-0107',
    amount: 18450.75,
    currency: 'USD',
    date: '2026-07-28T00:00:00.000Z',
    validUntil: '2026-08-27T00:00:00.000Z',
    status: 'accepted',
    createdAt: '2026-07-28T14:12:09.481Z',
    updatedAt: '2026-08-02T16:20:00.000Z',
  },
})
