import type { Metadata } from 'next'
import type { SearchParams } from '@/app/query'
import { sentence } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { Pagination } from '@/app/ui/pagination'
import { ReportPage } from '@/app/ui/report-page'
import { StackedBar } from '@/app/ui/stacked-bar'
import type { Desk } from '@/lib/core/desk'
import { getUnbilledWork } from '@/lib/operations/reports/unbilled-work'
import { ProjectStatus } from '@/lib/resources/projects'
import { pagesOf } from '../file'
import { openReport, readReport } from '../read'
import { columnsOf, inputOf, PARAMETERS, SIZE, type Unbilled } from './table'

export const metadata: Metadata = { title: 'Unbilled work' }

const PATH = '/reports/unbilled-work'

function Content({ report, given, at }: { report: Unbilled; given: Record<string, string>; at: Desk }) {
  const { total, currency, nothingLeft } = report
  const { money, count } = at.words
  const ready = Math.round((total.leftToBill - total.scheduled) * 100) / 100
  const parts = [
    { name: 'Billed', value: total.billed, text: money(total.billed, currency) },
    { name: 'On invoices dated later', value: total.scheduled, text: money(total.scheduled, currency) },
    { name: 'Not on any invoice', value: ready, text: money(ready, currency) },
  ]
  return (
    <>
      <StackedBar
        title="What contracts are billed"
        label={`Of contracts of ${money(total.contract, currency)}: ${parts.map(({ name, text }) => `${name} ${text}`).join(', ')}`}
        parts={parts}
        scheme="series"
        desk={at}
      />
      <section aria-label="Projects">
        <DataTable
          caption="Projects with something left to bill"
          columns={columnsOf({ ...report, at })}
          rows={report.projects}
          rowKey={({ projectId }) => projectId}
          desk={at}
          totalName={count(total.projects, 'project')}
          empty={<EmptyState title="Nothing left to bill" text="Every contract in this status is on invoices." />}
        />
        <Pagination of="projects" {...pagesOf(PATH, given, { size: SIZE, more: report.more })} />
      </section>
      {nothingLeft.projects > 0 && (
        <p className="text-sm text-quiet">
          {count(nothingLeft.projects, 'other project')} in this status {nothingLeft.projects === 1 ? 'has' : 'have'}{' '}
          nothing left to bill
          {nothingLeft.billedBeyond > 0 &&
            `; ${money(nothingLeft.billedBeyond, currency)} were billed beyond contracts`}
          .
        </p>
      )}
    </>
  )
}

export default async function UnbilledWork({ searchParams }: { searchParams: SearchParams }) {
  const { contractor, at, given, ctx } = await openReport(getUnbilledWork, searchParams, PARAMETERS)
  const { report, faults } = await readReport(getUnbilledWork, ctx, inputOf(given))
  const { money, day, count } = at.words
  const status = given.status ?? 'in_progress'
  return (
    <ReportPage
      title="Unbilled work"
      path={PATH}
      given={given}
      contractor={contractor}
      desk={at}
      days={`As of ${day(report?.asOf ?? at.today)}`}
      text={
        report &&
        `${money(report.total.leftToBill, report.currency)} of ${count(report.total.projects, 'contract')} is left to bill as of ${day(report.asOf)}. How much of the work is done is not recorded.`
      }
      fields={[]}
      presets={ProjectStatus.options
        .filter((name) => !['lead', 'estimate', 'cancelled'].includes(name))
        .map((name) => ({ name: sentence(name), days: { status: name } }))}
      shown={{ status }}
      faults={faults}
      exports
    >
      {report && <Content report={report} given={given} at={at} />}
    </ReportPage>
  )
}
