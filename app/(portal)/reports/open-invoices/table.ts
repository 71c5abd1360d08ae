import type * as z from 'zod'
import { type DataColumn, sentence } from '@/app/ui/data-column'
import type { Desk } from '@/lib/core/desk'
import { execute } from '@/lib/operations/execute'
import { listOpenInvoices } from '@/lib/operations/reports/list-open-invoices'
import { recordHref } from '../../record-href'
import { fileOf, numberOf } from '../file'

export type OpenInvoices = z.output<typeof listOpenInvoices.output>
type Invoice = OpenInvoices['invoices'][number]

export const PARAMETERS = ['asOf', 'age', 'customerId', 'sort', 'currency', 'skip'] as const
export const SIZE = 50

/** The ages as the report's filter names them. */
export const AGE_NAMES: Record<string, string> = {
  overdue: 'Overdue',
  current: 'Not yet due',
  days1to30: '1–30 days late',
  days31to60: '31–60 days late',
  days61to90: '61–90 days late',
  over90: 'Over 90 days late',
}

type Input = z.input<typeof listOpenInvoices.input>

/** Returns the input of the list for a page's parameters; what it does not know the operation refuses by name. */
export const inputOf = ({ skip, ...given }: Record<string, string>): Input => ({
  ...(given as Input),
  limit: SIZE,
  skip: numberOf(skip),
})

/** The columns of open invoices, with their totals where the whole list is known. */
export function columnsOf(
  report?: Pick<OpenInvoices, 'total' | 'currency'> & { at: Desk; sort: (name: string) => DataColumn<Invoice>['sort'] },
): DataColumn<Invoice>[] {
  const currency = () => report?.currency
  const money = (amount: number) => report?.at.words.money(amount, report.currency)
  return [
    {
      name: 'number',
      head: 'Invoice',
      kind: 'text',
      value: ({ number }) => number,
      href: ({ id }) => recordHref('invoices', id),
    },
    {
      name: 'customer',
      head: 'Customer',
      kind: 'text',
      value: ({ customer }) => customer,
      href: ({ customerId }) => recordHref('customers', customerId),
    },
    { name: 'project', head: 'Project', kind: 'text', value: ({ project }) => project, rank: 3 },
    { name: 'date', head: 'Date', kind: 'day', value: ({ date }) => date, rank: 3 },
    { name: 'due', head: 'Due', kind: 'day', value: ({ dueDate }) => dueDate, sort: report?.sort('dueDate') },
    { name: 'late', head: 'Days late', kind: 'count', value: ({ daysLate }) => daysLate || null },
    {
      name: 'amount',
      head: 'Amount',
      kind: 'money',
      value: ({ amount }) => amount,
      currency,
      rank: 2,
      total: report && money(report.total.amount),
    },
    {
      name: 'balance',
      head: 'Balance',
      kind: 'money',
      value: ({ unpaid }) => unpaid,
      currency,
      total: report && money(report.total.unpaid),
      sort: report?.sort('unpaid'),
    },
    { name: 'paid', head: 'Last payment', kind: 'day', value: ({ lastPaymentDate }) => lastPaymentDate, rank: 3 },
  ]
}

export const openInvoicesFile = fileOf<Invoice>(
  listOpenInvoices,
  PARAMETERS,
  () => [
    { name: 'id', head: 'Invoice ID', kind: 'text', value: ({ id }) => id },
    ...columnsOf(),
    { name: 'retainage', head: 'Retainage', kind: 'money', value: ({ retainage }) => retainage },
  ],
  async (ctx, _, given, skip) => {
    const { invoices, more } = await execute(listOpenInvoices, ctx, { ...inputOf(given), limit: 100, skip })
    return { rows: invoices, more }
  },
)

export const ageName = (age: string | undefined): string => (age ? (AGE_NAMES[age] ?? sentence(age)) : 'Open')
