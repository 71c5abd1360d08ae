import { z } from 'zod'
import { database } from '@/db/client'
import { receivablesAging } from '@/db/queries/reports/receivables-aging'
import { dayOf } from '@/lib/core/time'
import { defineOperation, JsonText } from '../define'
import { Count, CURRENCIES, CurrencyInput, Day, DayInput, Sum } from './fields'

const LIMIT = { error: 'must be a whole number from 1 to 25' }

/** Totals of a group of unpaid invoices; `unpaid` is the sum of the five age groups. */
const AGES = {
  unpaid: Sum.describe('All that is still to be paid: overdue and current'),
  overdue: Sum.describe('The part whose due day is over'),
  current: Sum.describe('Not yet due, or due on the day itself'),
  days1to30: Sum.describe('1 to 30 days past due'),
  days31to60: Sum.describe('31 to 60 days past due'),
  days61to90: Sum.describe('61 to 90 days past due'),
  over90: Sum.describe('More than 90 days past due'),
  invoices: Count.describe('Unpaid invoices in these sums'),
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
        'Day (UTC) to reckon from; today when left out. A past day counts what is dated up to it; one ahead what will be late if nothing ' +
          'more is paid',
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
    total: z.object({ ...AGES, oldestDueDate: Day.nullable().describe('Of all unpaid invoices; null without any') }),
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
    more: Count.describe('Customers after these; go on with skip'),
    otherCurrencies: CURRENCIES.otherCurrencies,
  }),
  example: {
    asOf: '2026-11-20',
    currency: 'USD',
    total: {
      unpaid: 9780.3,
      overdue: 2380.3,
      current: 7400,
      days1to30: 2380.3,
      days31to60: 0,
      days61to90: 0,
      over90: 0,
      invoices: 3,
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
        oldestDueDate: '2026-11-11',
        lastPaymentDate: '2026-11-02',
      },
    ],
    more: 1,
    otherCurrencies: [],
  },
  tool: { category: 'finance', example: { limit: 5 }, untrusted: ['name'] },
  run: async ({ actor, now }, { asOf = dayOf(now), currency, notPaidSince, minUnpaid, ...page }) => {
    const isPast = asOf < dayOf(now)
    const query = { contractorId: actor.contractorId, asOf, isPast, currency, notPaidSince, minUnpaid, ...page }
    return new JsonText(await receivablesAging(await database(), query))
  },
})
