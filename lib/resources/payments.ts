import { z } from 'zod'
import { revenueTransactions } from '@/db/schema'
import { defineResource } from './define'
import { Amount, Currency, FilterId, FromMoment, Instant, ToMoment } from './fields'

/** How a payment was made; also held by a check constraint. */
export const PaymentMethod = z.enum(['card', 'ach', 'check', 'cash', 'wire', 'other'])

/** Payments: the analytics revenue transactions of type payment received. */
export const payments = defineResource({
  name: 'payments',
  singular: 'payment',
  scope: 'read:payments',
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
    reference: revenueTransactions.reference,
    createdAt: revenueTransactions.createdAt,
    updatedAt: revenueTransactions.updatedAt,
  },
  filters: {
    customerId: {
      column: revenueTransactions.customerId,
      operator: '=',
      schema: FilterId.describe('Only payments of this customer'),
    },
    projectId: {
      column: revenueTransactions.projectId,
      operator: '=',
      schema: FilterId.describe('Only payments for this project'),
    },
    from: { column: revenueTransactions.date, operator: '>=', schema: FromMoment },
    to: { column: revenueTransactions.date, operator: '<', schema: ToMoment },
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
