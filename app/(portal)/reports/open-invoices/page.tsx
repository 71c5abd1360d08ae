import type { Metadata } from 'next'
import { hrefOf, type SearchParams } from '@/app/query'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { Pagination } from '@/app/ui/pagination'
import { ReportPage } from '@/app/ui/report-page'
import { cleanText } from '@/lib/core/clean'
import { listOpenInvoices } from '@/lib/operations/reports/list-open-invoices'
import { pagesOf } from '../file'
import { dayPresets } from '../periods'
import { openReport, readReport } from '../read'
import { AGE_NAMES, ageName, columnsOf, inputOf, PARAMETERS, SIZE } from './table'

export const metadata: Metadata = { title: 'Open invoices' }

const PATH = '/reports/open-invoices'

/** Returns how a list is sorted by a column: the link that sorts it or turns it around, and the order in force. */
function sortOf(given: Record<string, string>, name: string) {
  const { skip: _, sort = 'dueDate', ...kept } = given
  const now = sort === name ? ('ascending' as const) : sort === `-${name}` ? ('descending' as const) : undefined
  const next = now === 'descending' || (now === undefined && name === 'dueDate') ? name : `-${name}`
  return { href: hrefOf(PATH, { ...kept, sort: next }), now }
}

export default async function OpenInvoices({ searchParams }: { searchParams: SearchParams }) {
  const { contractor, at, given, ctx } = await openReport(listOpenInvoices, searchParams, PARAMETERS)
  const { report, faults } = await readReport(listOpenInvoices, ctx, inputOf(given))
  const { money, day, count } = at.words
  const asOf = report?.asOf ?? at.today
  const [first] = report?.invoices ?? []
  const whose = given.customerId && first ? ` of ${cleanText(first.customer)}` : ''
  return (
    <ReportPage
      title={`${ageName(given.age)} invoices${whose}`}
      path={PATH}
      given={given}
      contractor={contractor}
      desk={at}
      days={`As of ${day(asOf)}`}
      text={
        report && (
          <>
            {money(report.total.unpaid, report.currency)} is open on {count(report.total.invoices, 'invoice')} as of{' '}
            {day(asOf)}.{' '}
            <a href={hrefOf('/reports/who-owes', { asOf: given.asOf, currency: given.currency })}>Who owes</a>
          </>
        )
      }
      fields={[
        { name: 'asOf', label: 'As of', kind: 'day' },
        {
          name: 'age',
          label: 'Age',
          kind: 'choice',
          options: Object.entries(AGE_NAMES).map(([value, text]) => ({ value, text })),
        },
      ]}
      presets={dayPresets(at.today)}
      shown={{ asOf }}
      faults={faults}
      basis={report?.basis}
      exports
    >
      {report && (
        <section aria-label="Invoices">
          <DataTable
            caption="Open invoices"
            columns={columnsOf({ ...report, at, sort: (name) => sortOf(given, name) })}
            rows={report.invoices}
            rowKey={({ id }) => id}
            desk={at}
            totalName={count(report.total.invoices, 'invoice')}
            empty={<EmptyState title="No open invoices" text={`Nothing of this kind was open on ${day(asOf)}.`} />}
          />
          <Pagination of="invoices" {...pagesOf(PATH, given, { size: SIZE, more: report.more })} />
        </section>
      )}
    </ReportPage>
  )
}
