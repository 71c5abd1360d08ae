import type { Metadata } from 'next'
import { hrefOf, type SearchParams } from '@/app/query'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { Facts } from '@/app/ui/facts'
import { Pagination } from '@/app/ui/pagination'
import { ReportPage } from '@/app/ui/report-page'
import { PartKey, StackedBar } from '@/app/ui/stacked-bar'
import { Stat } from '@/app/ui/stat'
import type { Desk } from '@/lib/core/desk'
import { getReceivablesAging } from '@/lib/operations/reports/receivables-aging'
import { pagesOf } from '../file'
import { dayPresets } from '../periods'
import { openReport, readReport } from '../read'
import { AGES, type Aging, columnsOf, customersOf, inputOf, invoicesHref, PARAMETERS, SIZE } from './table'

export const metadata: Metadata = { title: 'Who owes' }

const PATH = '/reports/who-owes'

/** Classes of a box of five: one above four, or three above two, leave no empty place where the window is narrow. */
const FIVE =
  'grid grid-cols-2 gap-3 max-md:*:first:col-span-2 md:grid-cols-6 md:*:col-span-2 md:*:nth-[n+4]:col-span-3 xl:grid-cols-5 xl:*:nth-[n+1]:col-span-1'

/** Shows the five ages of what is owed as figures, each leading to its invoices, and as one bar. */
function Ages({ report: { total, currency }, given, at }: { report: Aging; given: Record<string, string>; at: Desk }) {
  const { words } = at
  const share = (amount: number) => (total.unpaid > 0 ? `${words.percent(amount / total.unpaid)} of what is owed` : '')
  const parts = AGES.map(([age, name]) => ({ name, value: total[age], text: words.money(total[age], currency) }))
  return (
    <section aria-label="By age" className="grid gap-3">
      <div className={FIVE}>
        {AGES.map(([age, name], part) => (
          <Stat
            key={age}
            size="small"
            name={
              <>
                <PartKey scheme="ages" part={part} /> {name}
              </>
            }
            figure={words.money(total[age], currency)}
            note={share(total[age])}
            href={invoicesHref(given, { age })}
          />
        ))}
      </div>
      <StackedBar
        title="Owed by age"
        label={`Owed by age: ${parts.map(({ name, text }) => `${name} ${text}`).join(', ')}`}
        parts={parts}
        scheme="ages"
        keyless
        desk={at}
      />
    </section>
  )
}

/** What is not in the sums above: credit, retainage, invoices dated ahead. */
function Apart({ report: { total, currency }, at }: { report: Aging; at: Desk }) {
  const { money, count } = at.words
  const facts: [string, string, number][] = [
    ['In credit, not deducted', money(total.unapplied, currency), total.unapplied],
    ['Retainage', money(total.retainage, currency), total.retainage],
    ['On invoices dated later', money(total.future, currency), total.future],
    ['Written off', money(total.writtenOff, currency), total.writtenOff],
    [
      'Payment not known',
      `${money(total.paymentNotKnown.amount, currency)} on ${count(total.paymentNotKnown.invoices, 'invoice')}`,
      total.paymentNotKnown.invoices,
    ],
  ]
  const shown = facts.filter(([, , value]) => value !== 0)
  if (shown.length === 0) return null
  return (
    <section aria-label="Not in these sums">
      <h2 className="mb-2 text-base">Not in these sums</h2>
      <Facts
        facts={shown.map(([name, text]) => [
          name,
          <span key={name} className="tabular-nums">
            {text}
          </span>,
        ])}
      />
    </section>
  )
}

function Content({ report, given, at }: { report: Aging; given: Record<string, string>; at: Desk }) {
  const customers = customersOf(report)
  const { skip, ...kept } = given
  const count = Number(skip ?? 0) + customers.length + report.more
  const columns = columnsOf(given, {
    total: report.total,
    currency: report.currency,
    at,
    sortBy: (sort) => hrefOf(PATH, { ...kept, sort: sort === 'unpaid' ? undefined : sort }),
  })
  return (
    <>
      <Ages report={report} given={given} at={at} />
      <section aria-label="Customers">
        <DataTable
          caption="Customers who owe"
          columns={columns}
          rows={customers}
          rowKey={({ customerId }) => customerId}
          desk={at}
          totalName={at.words.count(count, 'customer')}
          empty={
            <EmptyState title="Nobody owes anything" text={`No invoice was open on ${at.words.day(report.asOf)}.`} />
          }
        />
        <Pagination of="customers" {...pagesOf(PATH, given, { size: SIZE, more: report.more })} />
      </section>
      <Apart report={report} at={at} />
    </>
  )
}

export default async function WhoOwes({ searchParams }: { searchParams: SearchParams }) {
  const { contractor, at, given, ctx } = await openReport(getReceivablesAging, searchParams, PARAMETERS)
  const { report, faults } = await readReport(getReceivablesAging, ctx, inputOf(given))
  const asOf = report?.asOf ?? at.today
  const { money, day } = at.words
  return (
    <ReportPage
      title="Who owes"
      path={PATH}
      given={given}
      contractor={contractor}
      desk={at}
      days={`As of ${day(asOf)}`}
      text={
        report &&
        `${money(report.total.unpaid, report.currency)} is open as of ${day(asOf)}, ${money(report.total.overdue, report.currency)} of it overdue.`
      }
      fields={[
        { name: 'asOf', label: 'As of', kind: 'day' },
        { name: 'minUnpaid', label: 'Owes at least', kind: 'amount' },
        { name: 'notPaidSince', label: 'Nothing paid since', kind: 'day' },
      ]}
      presets={dayPresets(at.today)}
      shown={{ asOf }}
      faults={faults}
      basis={report?.basis}
      otherCurrencies={report?.otherCurrencies}
      exports
    >
      {report && <Content report={report} given={given} at={at} />}
    </ReportPage>
  )
}
