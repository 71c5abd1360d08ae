import type * as z from 'zod'
import { hrefOf } from '@/app/query'
import type { DataColumn } from '@/app/ui/data-column'
import type { Desk } from '@/lib/core/desk'
import type { Words } from '@/lib/core/words'
import { execute } from '@/lib/operations/execute'
import { getCashFlow } from '@/lib/operations/reports/cash-flow'
import { fileOf } from '../file'

export type CashFlow = z.output<typeof getCashFlow.output>
export type Period = CashFlow['periods'][number]
type Input = z.input<typeof getCashFlow.input>

export const PARAMETERS = ['from', 'to', 'by', 'currency'] as const

/** Returns the input of the report; what it does not know the operation refuses by name. */
export const inputOf = (given: Record<string, string>): Input => given as Input

/** The name of a month or week, by its first day. */
export const periodName = ({ by }: Pick<CashFlow, 'by'>, { period, from }: Period, words: Words): string =>
  by === 'month' ? words.month(period) : `Week of ${words.shortDay(from)}`

/** The columns of months or weeks, with totals where the report is known. */
export function columnsOf(report?: CashFlow & { at: Desk }): DataColumn<Period>[] {
  const amount = (
    name: keyof CashFlow['total'] & keyof Period,
    head: string,
    rank: 1 | 2 | 3 = 1,
  ): DataColumn<Period> => ({
    name,
    head,
    kind: 'money',
    value: (period) => period[name] || (report ? null : 0),
    currency: () => report?.currency,
    rank,
    total: report?.at.words.money(report.total[name], report.currency),
  })
  const hasUnrecorded = report?.total.paidWithoutRecord !== 0
  return [
    {
      name: 'period',
      head: report?.by === 'week' ? 'Week' : 'Month',
      kind: 'text',
      value: (period) => (report ? periodName(report, period, report.at.words) : period.period),
      href: ({ from, to }) => hrefOf('/payments', { from, to }),
    },
    amount('received', 'Received'),
    amount('refunded', 'Refunded', 2),
    amount('reversed', 'Came back', 2),
    amount('net', 'Net'),
    amount('invoiced', 'Invoiced', 2),
    ...(hasUnrecorded ? [amount('paidWithoutRecord', 'Paid without a record', 3)] : []),
  ]
}

export const cashFile = fileOf<Period>(
  getCashFlow,
  PARAMETERS,
  () => [
    ...columnsOf(),
    { name: 'from', head: 'First day', kind: 'day', value: ({ from }) => from },
    { name: 'to', head: 'Last day', kind: 'day', value: ({ to }) => to },
  ],
  async (ctx, _, given) => ({ rows: (await execute(getCashFlow, ctx, inputOf(given))).periods, more: 0 }),
)
