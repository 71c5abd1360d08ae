import * as z from 'zod'
import { database } from '@/db/client'
import { receivablesAging } from '@/db/queries/reports/receivables-aging'
import { defineOperation, JsonText } from '../define'
import { Basis, Count, CURRENCIES, CurrencyInput, contractorDays, Day, DayInput, Sum } from './fields'

const LIMIT = { error: 'must be a whole number from 1 to 25' }

/** Totals of a group of unpaid invoices; `unpaid` is the sum of the five age groups (docs/accounting.md). */
const AGES = {
  unpaid: Sum.describe('All that is still to be paid: overdue + current'),
  overdue: Sum.describe('The part whose due day is over'),
  current: Sum.describe('Not yet due, or due on the day itself'),
  days1to30: Sum.describe('1 to 30 days past due'),
  days31to60: Sum.describe('31 to 60 days past due'),
  days61to90: Sum.describe('61 to 90 days past due'),
  over90: Sum.describe('More than 90 days past due'),
  invoices: Count.describe('Unpaid invoices in these sums'),
  retainage: Sum.describe('Held back by contract; not in unpaid'),
  unapplied: Sum.describe('In credit, such as deposits; not deducted'),
  writtenOff: Sum.describe('No longer owed'),
}

/** Reports open invoices by how late they are, per customer and in total. */
export const getReceivablesAging = defineOperation({
  name: 'get_receivables_aging',
  title: 'Receivables by age',
  description:
    'What customers owe and how late it is, in total and for each customer, with the day of the last payment. Payments count toward the ' +
    'invoice they name. For single invoices use list_invoices.',
  access: ['read:invoices', 'read:payments', 'read:customers'],
  effect: 'read',
  input: z
    .object({
      asOf: DayInput.optional().describe(
        'Day to reckon from; today when left out. Any day counts what is dated up to it: one ahead what will be late if nothing more is ' +
          'paid than what is dated by then',
      ),
      limit: z.int(LIMIT).min(1, LIMIT).max(25, LIMIT).default(10).describe('Customers told one by one'),
      skip: z.int().min(0).max(100_000).default(0).describe('Customers already told'),
      sort: z.enum(['overdue', 'unpaid']).default('overdue').describe('What is greatest first'),
      minUnpaid: z.number().min(0).max(1e12).optional().describe('Only who owes at least this'),
      notPaidSince: DayInput.optional().describe('Only who has paid nothing since this day'),
      currency: CurrencyInput,
    })
    .strict(),
  output: z.object({
    asOf: Day,
    currency: CURRENCIES.currency,
    basis: Basis,
    total: z
      .object({
        ...AGES,
        future: Sum.describe('Dated after the day; not in unpaid'),
        paymentNotKnown: z
          .object({ invoices: Count, amount: Sum })
          .describe('Billed jobs of which no file says what was paid; in no other sum'),
        oldestDueDate: Day.nullable().describe('Of all unpaid invoices; null without any'),
      })
      .describe('Of the customers that are asked for: with minUnpaid or notPaidSince only of those, told here or not'),
    customers: z
      .array(
        z.object({
          customerId: z.string(),
          name: z.string(),
          ...AGES,
          oldestDueDate: Day.describe('Of the customer’s unpaid invoices'),
          lastPaymentDate: Day.nullable().describe('Of any payment, whatever it was for; null without one'),
        }),
      )
      .describe('Customers with something unpaid, in the order of sort'),
    more: Count.describe('Customers after these'),
    otherCurrencies: CURRENCIES.otherCurrencies,
  }),
  example: {
    asOf: '2026-11-20',
    currency: 'USD',
    basis: 'Open on 2026-11-20, by days of America/New_York: unpaid = overdue + current.',
    total: {
      unpaid: 9780.3,
      overdue: 2380.3,
      current: 7400,
      days1to30: 2380.3,
      days31to60: 0,
      days61to90: 0,
      over90: 0,
      invoices: 3,
      retainage: 0,
      unapplied: 250,
      writtenOff: 0,
      future: 11070.45,
      paymentNotKnown: { invoices: 0, amount: 0 },
      oldestDueDate: '2026-11-11',
    },
    customers: [
      {
        customerId: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
        name: 'Dana Whitfield',
        unpaid: 2380.3,
        overdue: 2380.3,
        current: 0,
        days1to30: 2380.3,
        days31to60: 0,
        days61to90: 0,
        over90: 0,
        invoices: 1,
        retainage: 0,
        unapplied: 0,
        writtenOff: 0,
        oldestDueDate: '2026-11-11',
        lastPaymentDate: '2026-11-02',
      },
    ],
    more: 1,
    otherCurrencies: [],
  },
  tool: { category: 'finance', pages: 'customers', example: { limit: 5 }, untrusted: ['name'] },
  run: async ({ actor: { contractorId }, now }, { asOf: day, currency, notPaidSince, minUnpaid, ...page }) => {
    const db = await database()
    const { zone, today } = await contractorDays(db, contractorId, now)
    const asOf = day ?? today
    const query = { contractorId, zone, asOf, today, currency, notPaidSince, minUnpaid, ...page }
    return new JsonText(await receivablesAging(db, query))
  },
})
