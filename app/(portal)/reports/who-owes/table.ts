import type * as z from 'zod'
import { hrefOf } from '@/app/query'
import type { DataColumn } from '@/app/ui/data-column'
import type { Desk } from '@/lib/core/desk'
import { execute } from '@/lib/operations/execute'
import { getReceivablesAging } from '@/lib/operations/reports/receivables-aging'
import { fileOf, numberOf } from '../file'
import { daysBetween } from '../periods'

export type Aging = z.output<typeof getReceivablesAging.output>
type Customer = Aging['customers'][number] & { daysLate: number | null }

/** The five ages of what is owed, from the newest to the oldest. */
export const AGES = [
  ['current', 'Not yet due'],
  ['days1to30', '1–30 days late'],
  ['days31to60', '31–60 days late'],
  ['days61to90', '61–90 days late'],
  ['over90', 'Over 90 days late'],
] as const

export const PARAMETERS = ['asOf', 'sort', 'minUnpaid', 'notPaidSince', 'currency', 'skip'] as const
export const SIZE = 25

/** Returns the input of the report for a page's parameters. Who owes most comes first, unless what is overdue is asked for. */
export const inputOf = ({ asOf, sort, minUnpaid, notPaidSince, currency, skip }: Record<string, string>) => ({
  asOf,
  sort: sort === 'overdue' ? ('overdue' as const) : ('unpaid' as const),
  minUnpaid: numberOf(minUnpaid),
  notPaidSince,
  currency,
  limit: SIZE,
  skip: numberOf(skip),
})

/** Returns the customers of the report with how late their oldest invoice is. */
export const customersOf = ({ asOf, customers }: Pick<Aging, 'asOf' | 'customers'>): Customer[] =>
  customers.map((customer) => {
    const late = daysBetween(customer.oldestDueDate, asOf)
    return { ...customer, daysLate: late > 0 ? late : null }
  })

/** Returns the page of the open invoices that a sum of this report is of. */
export const invoicesHref = (
  { asOf, currency }: Record<string, string>,
  of: { age?: string; customerId?: string },
): string => hrefOf('/reports/open-invoices', { asOf, currency, ...of })

/** The columns of customers. With `report`, the first leads to their invoices and the totals stand below. */
export function columnsOf(
  given: Record<string, string>,
  report?: { total: Aging['total']; currency: string; at: Desk; sortBy: (sort: string) => string },
): DataColumn<Customer>[] {
  const money = (amount: number) => report?.at.words.money(amount, report.currency)
  const sorted = (sort: string) =>
    report && {
      sort: {
        href: report.sortBy(sort),
        now: (given.sort ?? 'unpaid') === sort ? ('descending' as const) : undefined,
      },
    }
  const currency = () => report?.currency
  return [
    {
      name: 'customer',
      head: 'Customer',
      kind: 'text',
      value: ({ name }) => name,
      href: ({ customerId }) => invoicesHref(given, { customerId }),
    },
    {
      name: 'owes',
      head: 'Owes',
      kind: 'money',
      value: ({ unpaid }) => unpaid,
      currency,
      total: report && money(report.total.unpaid),
      ...sorted('unpaid'),
    },
    {
      name: 'overdue',
      head: 'Overdue',
      kind: 'money',
      value: ({ overdue }) => overdue || null,
      currency,
      rank: 2,
      total: report && money(report.total.overdue),
      ...sorted('overdue'),
    },
    { name: 'oldest', head: 'Oldest due', kind: 'day', value: ({ oldestDueDate }) => oldestDueDate },
    { name: 'late', head: 'Days late', kind: 'count', value: ({ daysLate }) => daysLate },
    { name: 'paid', head: 'Last payment', kind: 'day', value: ({ lastPaymentDate }) => lastPaymentDate, rank: 2 },
  ]
}

const FILE_ONLY = [
  ...AGES.map(([name, head]) => [name, head] as const),
  ['retainage', 'Retainage'],
  ['unapplied', 'In credit'],
  ['writtenOff', 'Written off'],
] as const

export const whoOwesFile = fileOf<Customer>(
  getReceivablesAging,
  PARAMETERS,
  () => [
    { name: 'id', head: 'Customer ID', kind: 'text', value: ({ customerId }) => customerId },
    ...columnsOf({}),
    ...FILE_ONLY.map(
      ([name, head]): DataColumn<Customer> => ({ name, head, kind: 'money', value: (customer) => customer[name] }),
    ),
  ],
  async (ctx, _, given, skip) => {
    const report = await execute(getReceivablesAging, ctx, { ...inputOf(given), skip })
    return { rows: customersOf(report), more: report.more }
  },
)
