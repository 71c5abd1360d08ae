import type { Metadata } from 'next'
import type { SearchParams } from '@/app/query'
import { Card } from '@/app/ui/card'
import { RowBars } from '@/app/ui/chart-rows'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { ReportPage } from '@/app/ui/report-page'
import type { Desk } from '@/lib/core/desk'
import { getLeadPerformance } from '@/lib/operations/reports/lead-performance'
import { periodFields, periodPresets } from '../periods'
import { openReport, readReport } from '../read'
import { columnsOf, inputOf, PARAMETERS, type Performance } from './table'

export const metadata: Metadata = { title: 'Leads' }

/** Shows how many leads went how far, and how many of those decided were won. */
function Funnel({ total, at }: { total: Performance['total']; at: Desk }) {
  const { number, percent } = at.words
  const steps = [
    ['Came in', total.leads],
    ['Contacted', total.contacted],
    ['Decided', total.decided],
    ['Won', total.won],
  ] as const
  return (
    <RowBars
      title="From lead to job"
      label={`From lead to job: ${steps.map(([name, count]) => `${name} ${count}`).join(', ')}`}
      rows={steps.map(([name, count]) => ({
        name,
        value: count,
        text: number(count) + (total.leads > 0 && count !== total.leads ? ` (${percent(count / total.leads)})` : ''),
      }))}
      most={total.leads}
      note={
        total.conversion === null
          ? `${number(total.won)} of ${number(total.decided)} decided were won`
          : `Close rate ${percent(total.conversion)} of ${number(total.decided)} decided`
      }
      desk={at}
    />
  )
}

export default async function LeadsReport({ searchParams }: { searchParams: SearchParams }) {
  const { contractor, at, given, ctx } = await openReport(getLeadPerformance, searchParams, PARAMETERS)
  const { report, faults } = await readReport(getLeadPerformance, ctx, inputOf(given))
  const { count, day } = at.words
  const days = report ? `${day(report.from)} to ${day(report.to)}` : ''
  return (
    <ReportPage
      title="Leads"
      path="/reports/leads"
      given={given}
      contractor={contractor}
      desk={at}
      days={days}
      text={
        report &&
        `${count(report.total.leads, 'lead')} came in from ${days}. ${count(report.openLeads, 'lead')} of all days ${report.openLeads === 1 ? 'is' : 'are'} open today.`
      }
      fields={periodFields([
        { value: 'source', text: 'Source' },
        { value: 'category', text: 'Category' },
      ])}
      presets={periodPresets(at.today)}
      shown={{ ...(report && { from: report.from, to: report.to }), by: given.by ?? 'source' }}
      faults={faults}
      basis={report?.basis}
      otherCurrencies={report?.otherCurrencies}
      exports
    >
      {report && <Funnel total={report.total} at={at} />}
      {report && (
        <section aria-label="By source">
          <DataTable
            caption="Leads by source"
            columns={columnsOf({ ...report, at })}
            rows={report.sources}
            rowKey={({ category, source }) => `${category} ${source}`}
            desk={at}
            empty={<EmptyState title="No leads in these days" text="Choose other days above." />}
          />
          {report.more > 0 && <p className="mt-2 text-sm text-quiet">{count(report.more, 'source')} more with less.</p>}
        </section>
      )}
      {report && report.total.conversion === null && report.total.leads > 0 && (
        <Card>
          <p className="text-sm text-quiet">
            A close rate is shown from five decided leads on; of fewer it would mislead.
          </p>
        </Card>
      )}
    </ReportPage>
  )
}
