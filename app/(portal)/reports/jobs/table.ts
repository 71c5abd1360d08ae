import type * as z from 'zod'
import type { DataColumn } from '@/app/ui/data-column'
import type { Desk } from '@/lib/core/desk'
import { execute } from '@/lib/operations/execute'
import { getJobs } from '@/lib/operations/reports/get-jobs'
import { recordHref } from '../../record-href'
import { fileOf, numberOf } from '../file'

export type Jobs = z.output<typeof getJobs.output>
type Job = Jobs['jobs'][number]
type Input = z.input<typeof getJobs.input>

export const PARAMETERS = ['status', 'sort', 'skip'] as const
export const SIZE = 25

/** Returns the input of the report for a page's parameters: jobs at hand, unless another status is chosen. */
export const inputOf = ({ status, sort, skip }: Record<string, string>): Input => ({
  ...(status && { status: [status] as Input['status'] }),
  sort: sort as Input['sort'],
  limit: SIZE,
  skip: numberOf(skip),
})

type Shown = Pick<Jobs, 'total' | 'currency'> & { at: Desk; sort: (name: string) => DataColumn<Job>['sort'] }

/** The columns of jobs, with totals where the report is known. */
export function columnsOf(report?: Shown): DataColumn<Job>[] {
  const amount = (
    name: 'contract' | 'billed' | 'received' | 'leftToBill',
    head: string,
    rank: 1 | 2 | 3,
  ): DataColumn<Job> => ({
    name,
    head,
    kind: 'money',
    value: (job) => job[name] || (report ? null : 0),
    rank,
    total: report?.at.words.money(report.total[name], report.currency),
    sort: report?.sort(name),
  })
  return [
    {
      name: 'project',
      head: 'Job',
      kind: 'text',
      value: ({ projectName }) => projectName,
      href: ({ projectId }) => recordHref('projects', projectId),
    },
    { name: 'customer', head: 'Customer', kind: 'text', value: ({ customerName }) => customerName, rank: 3 },
    { name: 'status', head: 'Status', kind: 'status', value: ({ status }) => status, rank: 3 },
    amount('contract', 'Contract', 1),
    amount('billed', 'Billed', 2),
    amount('received', 'Received', 2),
    { name: 'cost', head: 'Materials', kind: 'money', value: ({ materials }) => materials?.cost, rank: 3 },
    {
      name: 'margin',
      head: 'Less materials',
      kind: 'percent',
      value: ({ contractLessMaterials: { percent } }) => (percent === null ? null : percent / 100),
      rank: 2,
    },
    amount('leftToBill', 'Left to bill', 1),
  ]
}

export const jobsFile = fileOf<Job>(
  getJobs,
  PARAMETERS,
  () => [{ name: 'id', head: 'Project ID', kind: 'text', value: ({ projectId }) => projectId }, ...columnsOf()],
  async (ctx, _, given, skip) => {
    const { jobs, more } = await execute(getJobs, ctx, { ...inputOf(given), skip })
    return { rows: jobs, more }
  },
)
