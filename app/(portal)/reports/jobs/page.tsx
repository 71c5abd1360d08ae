import type { Metadata } from 'next'
import { hrefOf, type SearchParams } from '@/app/query'
import { Bars } from '@/app/ui/chart-bars'
import { sentence } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { Pagination } from '@/app/ui/pagination'
import { ReportPage } from '@/app/ui/report-page'
import type { Desk } from '@/lib/core/desk'
import { getJobs } from '@/lib/operations/reports/get-jobs'
import { ProjectStatus } from '@/lib/resources/projects'
import { pagesOf } from '../file'
import { openReport, readReport } from '../read'
import { columnsOf, inputOf, type Jobs, PARAMETERS, SIZE } from './table'

export const metadata: Metadata = { title: 'Jobs' }

const PATH = '/reports/jobs'
/** The jobs that the picture shows. */
const MOST_DRAWN = 12

function Content({ report, given, at }: { report: Jobs; given: Record<string, string>; at: Desk }) {
  const { total, currency, jobs } = report
  const { money, count, shortMoney } = at.words
  const drawn = jobs.slice(0, MOST_DRAWN)
  const { skip: _, sort = 'contract', ...kept } = given
  const sortOf = (name: string) => ({
    href: hrefOf(PATH, { ...kept, sort: name === 'contract' ? undefined : name }),
    now: sort === name ? ('descending' as const) : undefined,
  })
  return (
    <>
      {drawn.length > 0 && (
        <Bars
          title={`Contract, billed and received of ${count(drawn.length, 'job')}`}
          label={`All jobs: contracts ${money(total.contract, currency)}, billed ${money(total.billed, currency)}, received ${money(total.received, currency)}. The table below has the figures.`}
          beside
          series={[
            { name: 'Contract', tone: 'third', values: drawn.map(({ contract }) => contract) },
            { name: 'Billed', tone: 'first', values: drawn.map(({ billed }) => billed) },
            { name: 'Received', tone: 'second', values: drawn.map(({ received }) => received) },
          ]}
          places={drawn.map((_, place) => String(Number(given.skip ?? 0) + place + 1))}
          tips={drawn.map(({ projectName }) => projectName)}
          markText={(value) => shortMoney(value, currency)}
          text={(value) => money(value, currency)}
          desk={at}
        />
      )}
      <section aria-label="Jobs">
        <DataTable
          caption="Jobs"
          columns={columnsOf({ ...report, at, sort: sortOf })}
          rows={jobs}
          rowKey={({ projectId }) => projectId}
          desk={at}
          totalName={count(total.jobs, 'job')}
          empty={<EmptyState title="No jobs in this status" text="Choose another status above." />}
        />
        <Pagination of="jobs" {...pagesOf(PATH, given, { size: SIZE, more: report.more })} />
      </section>
      <p className="max-w-prose text-sm text-quiet">
        Materials are those listed for a job at the prices of the price book. Labor, subcontractors and overhead are not
        kept, so what is left of a contract after materials is not its profit.
      </p>
    </>
  )
}

export default async function JobsPage({ searchParams }: { searchParams: SearchParams }) {
  const { contractor, at, given, ctx } = await openReport(getJobs, searchParams, PARAMETERS)
  const { report, faults } = await readReport(getJobs, ctx, inputOf(given))
  const { money, day, count } = at.words
  const statuses = ProjectStatus.options.filter((name) => !['lead', 'estimate'].includes(name))
  return (
    <ReportPage
      title="Jobs"
      path={PATH}
      given={given}
      contractor={contractor}
      desk={at}
      days={`As of ${day(at.today)}`}
      text={
        report &&
        `${count(report.total.jobs, 'job')} with contracts of ${money(report.total.contract, report.currency)}: ${money(report.total.received, report.currency)} received, ${money(report.total.leftToBill, report.currency)} left to bill as of ${day(report.asOf)}.`
      }
      fields={[]}
      presets={[
        { name: 'At hand', days: { status: undefined } },
        ...statuses.map((name) => ({ name: sentence(name), days: { status: name } })),
      ]}
      shown={{ status: given.status }}
      faults={faults}
      basis={report?.basis}
      exports
    >
      {report && <Content report={report} given={given} at={at} />}
    </ReportPage>
  )
}
