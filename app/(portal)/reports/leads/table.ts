import type * as z from 'zod'
import { type DataColumn, sentence } from '@/app/ui/data-column'
import type { Desk } from '@/lib/core/desk'
import { execute } from '@/lib/operations/execute'
import { getLeadPerformance } from '@/lib/operations/reports/lead-performance'
import { fileOf } from '../file'

export type Performance = z.output<typeof getLeadPerformance.output>
type Source = Performance['sources'][number]
type Input = z.input<typeof getLeadPerformance.input>

export const PARAMETERS = ['from', 'to', 'by', 'currency'] as const

/** Returns the input of the report, by source unless categories are asked for. */
export const inputOf = (given: Record<string, string>): Input => ({ by: 'source', ...(given as Input) })

/** The columns of sources, with totals where the report is known. */
export function columnsOf(report?: Performance & { at: Desk }): DataColumn<Source>[] {
  const count = (
    name: 'leads' | 'won' | 'open' | 'lost' | 'contacted',
    head: string,
    rank: 1 | 2 | 3 = 1,
  ): DataColumn<Source> => ({
    name,
    head,
    kind: 'count',
    value: (source) => source[name],
    rank,
    total: report?.total[name],
  })
  return [
    { name: 'source', head: 'Source', kind: 'text', value: ({ source, category }) => source ?? sentence(category) },
    {
      name: 'category',
      head: 'Category',
      kind: 'text',
      value: ({ source, category }) => source && sentence(category),
      rank: 3,
    },
    count('leads', 'Leads'),
    count('won', 'Won'),
    count('open', 'Open', 2),
    count('lost', 'Lost', 2),
    {
      name: 'conversion',
      head: 'Close rate',
      kind: 'percent',
      value: ({ conversion }) => conversion,
      total: report?.total.conversion,
    },
    {
      name: 'hours',
      head: 'Hours to contact',
      kind: 'count',
      value: ({ hoursToContact }) => hoursToContact,
      rank: 3,
      total: report?.total.hoursToContact,
    },
    {
      name: 'revenue',
      head: 'Revenue',
      kind: 'money',
      value: ({ revenue }) => revenue || (report ? null : 0),
      currency: () => report?.currency,
      total: report?.at.words.money(report.total.revenue, report.currency),
    },
  ]
}

export const leadsFile = fileOf<Source>(
  getLeadPerformance,
  PARAMETERS,
  () => columnsOf(),
  async (ctx, _, given) => ({ rows: (await execute(getLeadPerformance, ctx, inputOf(given))).sources, more: 0 }),
)
