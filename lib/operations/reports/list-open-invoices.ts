import * as z from 'zod'
import { database } from '@/db/client'
import {
  listOpenInvoices as linesOf,
  OPEN_INVOICE_SORTS,
  type OpenInvoiceSort,
} from '@/db/queries/reports/list-open-invoices'
import { AGES, type Age } from '@/db/queries/reports/open-invoices'
import { FilterId } from '@/lib/resources/fields'
import { defineOperation, JsonText } from '../define'
import { pageLimit } from '../list-input'
import { Basis, Count, CURRENCIES, CurrencyInput, contractorDays, Day, DayInput, Sum } from './fields'

const AgeInput = z.enum(Object.keys(AGES) as [Age, ...Age[]])
const Sort = z.enum(
  Object.keys(OPEN_INVOICE_SORTS).flatMap((name) => [name, `-${name}`]) as [OpenInvoiceSort, ...OpenInvoiceSort[]],
)

/** Lists the invoices that the receivables report adds up, one by one. */
export const listOpenInvoices = defineOperation({
  name: 'list_open_invoices',
  title: 'Open invoices',
  description:
    'The invoices that something is unpaid of on a day, one by one, with days late, balance and last payment, and their total: the lines of get_receivables_aging, in all or of one age or customer.',
  access: ['read:invoices', 'read:payments', 'read:customers', 'read:projects'],
  effect: 'read',
  input: z
    .object({
      asOf: DayInput.optional().describe('Day to reckon from; today when left out'),
      age: AgeInput.optional().describe('Only of this age, as the receivables report has them'),
      customerId: FilterId.optional().describe('Only of this customer'),
      sort: Sort.default('dueDate').describe('- for the greatest or latest first'),
      limit: pageLimit(100, 50),
      skip: z.int().min(0).max(100_000).default(0).describe('Invoices already told'),
      currency: CurrencyInput,
    })
    .strict(),
  output: z.object({
    asOf: Day,
    currency: CURRENCIES.currency,
    basis: Basis,
    total: z.object({ invoices: Count, amount: Sum, unpaid: Sum, retainage: Sum }).describe('Of all that is found'),
    invoices: z.array(
      z.object({
        id: z.string(),
        number: z.string(),
        customerId: z.string(),
        customer: z.string(),
        projectId: z.string(),
        project: z.string(),
        date: Day,
        dueDate: Day,
        daysLate: Count.describe('0 until the due day is over'),
        amount: Sum,
        unpaid: Sum.describe('Still to be paid on that day, without retainage'),
        retainage: Sum.describe('Held back by contract; not in unpaid'),
        lastPaymentDate: Day.nullable().describe('Of a payment for this invoice; null without one'),
      }),
    ),
    more: Count.describe('Invoices after these'),
  }),
  example: {
    asOf: '2026-11-20',
    currency: 'USD',
    basis: 'Open on 2026-11-20, by days of America/New_York.',
    total: { invoices: 1, amount: 7380.3, unpaid: 2380.3, retainage: 0 },
    invoices: [
      {
        id: 'inv_prj_01jb2wa0c5t7e9g1h3k5m7p9qr_1760281445123',
        number: '26-0107-1',
        customerId: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
        customer: 'Dana Whitfield',
        projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
        project: 'Re-roof, architectural shingle, 28 sq',
        date: '2026-10-12',
        dueDate: '2026-11-11',
        daysLate: 9,
        amount: 7380.3,
        unpaid: 2380.3,
        retainage: 0,
        lastPaymentDate: '2026-11-02',
      },
    ],
    more: 0,
  },
  run: async ({ actor: { contractorId }, now }, { asOf, currency, age, customerId, ...page }) => {
    const db = await database()
    const { zone, today } = await contractorDays(db, contractorId, now)
    const query = { contractorId, zone, today, asOf: asOf ?? today, currency, age, customerId, ...page }
    return new JsonText(await linesOf(db, query))
  },
})
