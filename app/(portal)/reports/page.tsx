import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { PageHead } from '@/app/ui/card'
import { mayRun } from '@/lib/operations/access'
import type { AnyOperation } from '@/lib/operations/define'
import { getCashFlow } from '@/lib/operations/reports/cash-flow'
import { getJobs } from '@/lib/operations/reports/get-jobs'
import { getLeadPerformance } from '@/lib/operations/reports/lead-performance'
import { listOpenInvoices } from '@/lib/operations/reports/list-open-invoices'
import { getReceivablesAging } from '@/lib/operations/reports/receivables-aging'
import { getRevenueSummary } from '@/lib/operations/reports/revenue-summary'
import { getUnbilledWork } from '@/lib/operations/reports/unbilled-work'

export const metadata: Metadata = { title: 'Reports' }

const REPORTS: { path: string; name: string; about: string; by: AnyOperation }[] = [
  {
    path: 'who-owes',
    name: 'Who owes',
    about: 'What each customer owes, since when, and when they last paid.',
    by: getReceivablesAging,
  },
  {
    path: 'open-invoices',
    name: 'Open invoices',
    about: 'The invoices behind it, one by one, with days late and balance.',
    by: listOpenInvoices,
  },
  {
    path: 'cash',
    name: 'Cash',
    about: 'Received, refunded and net by month or week, and what comes.',
    by: getCashFlow,
  },
  {
    path: 'revenue',
    name: 'Revenue',
    about: 'By month against last year, by customer and by trade.',
    by: getRevenueSummary,
  },
  {
    path: 'jobs',
    name: 'Jobs',
    about: 'Contract, billed, received, cost of materials, and what is left to bill.',
    by: getJobs,
  },
  {
    path: 'leads',
    name: 'Leads',
    about: 'How many came in, from where, and how many became jobs.',
    by: getLeadPerformance,
  },
  {
    path: 'unbilled-work',
    name: 'Unbilled work',
    about: 'What is left to bill of contracts, the most first.',
    by: getUnbilledWork,
  },
]

/** The reports that the person may read. Agents call the same operations, so their figures agree. */
export default async function Reports() {
  const { actor } = await requireActor()
  return (
    <>
      <PageHead title="Reports" text="Figures of the books, as of any day. Assistants answer by the same reports." />
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {REPORTS.filter(({ by }) => mayRun(by, actor)).map(({ path, name, about }) => (
          <li key={path} className="relative rounded-lg border border-line bg-raised p-5 hover:border-edge">
            <h2 className="text-lg">
              <a href={`/reports/${path}`} className="no-underline after:absolute after:inset-0 hover:underline">
                {name}
              </a>
            </h2>
            <p className="mt-1 text-quiet">{about}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
