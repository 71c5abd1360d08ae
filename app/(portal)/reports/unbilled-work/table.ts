import type * as z from 'zod'
import type { DataColumn } from '@/app/ui/data-column'
import type { Desk } from '@/lib/core/desk'
import { execute } from '@/lib/operations/execute'
import { getUnbilledWork } from '@/lib/operations/reports/unbilled-work'
import { recordHref } from '../../record-href'
import { fileOf, numberOf } from '../file'

export type Unbilled = z.output<typeof getUnbilledWork.output>
type Project = Unbilled['projects'][number]
type Input = z.input<typeof getUnbilledWork.input>

export const PARAMETERS = ['status', 'skip'] as const
export const SIZE = 25

/** Returns the input of the report for a page's parameters: jobs in progress, unless another status is chosen. */
export const inputOf = ({ status, skip }: Record<string, string>): Input => ({
  ...(status && { status: [status] as Input['status'] }),
  limit: SIZE,
  skip: numberOf(skip),
})

/** The columns of projects, with totals where the report is known. */
export function columnsOf(report?: Unbilled & { at: Desk }): DataColumn<Project>[] {
  const amount = (
    name: 'contract' | 'billed' | 'scheduled' | 'leftToBill',
    head: string,
    rank: 1 | 2 | 3 = 1,
  ): DataColumn<Project> => ({
    name,
    head,
    kind: 'money',
    value: (project) => project[name] || (report ? null : 0),
    rank,
    total: report?.at.words.money(report.total[name], report.currency),
  })
  return [
    {
      name: 'project',
      head: 'Project',
      kind: 'text',
      value: ({ projectName }) => projectName,
      href: ({ projectId }) => recordHref('projects', projectId),
    },
    { name: 'customer', head: 'Customer', kind: 'text', value: ({ customerName }) => customerName, rank: 2 },
    { name: 'status', head: 'Status', kind: 'status', value: ({ status }) => status, rank: 3 },
    amount('contract', 'Contract', 2),
    amount('billed', 'Billed', 2),
    amount('scheduled', 'On later invoices', 3),
    amount('leftToBill', 'Left to bill'),
  ]
}

export const unbilledFile = fileOf<Project>(
  getUnbilledWork,
  PARAMETERS,
  () => [{ name: 'id', head: 'Project ID', kind: 'text', value: ({ projectId }) => projectId }, ...columnsOf()],
  async (ctx, _, given, skip) => {
    const { projects, more } = await execute(getUnbilledWork, ctx, { ...inputOf(given), skip })
    return { rows: projects, more }
  },
)
