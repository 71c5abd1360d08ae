import type { Metadata } from 'next'
import type { SearchParams } from '@/app/query'
import { Bars } from '@/app/ui/chart-bars'
import { DataTable } from '@/app/ui/data-table'
import { ReportPage } from '@/app/ui/report-page'
import type { Desk } from '@/lib/core/desk'
import { mayRun } from '@/lib/operations/access'
import { getCashFlow } from '@/lib/operations/reports/cash-flow'
import { getReceivablesAging } from '@/lib/operations/reports/receivables-aging'
import { periodFields, periodPresets } from '../periods'
import { noneIfRefused, openReport, readReport } from '../read'
import { ComingIn, comingOf } from './coming'
import { type CashFlow, columnsOf, inputOf, PARAMETERS } from './table'

export const metadata: Metadata = { title: 'Cash' }

const PATH = '/reports/cash'

function Picture({ report, at }: { report: CashFlow; at: Desk }) {
  const { periods, currency, by, total } = report
  const { words } = at
  const back = periods.map(({ refunded, reversed }) => -(Math.round(refunded * 100) + Math.round(reversed * 100)) / 100)
  const money = (amount: number) => words.money(amount, currency)
  return (
    <Bars
      title={`Received by ${by}`}
      label={`Received by ${by}: ${money(total.received)} in all, ${money(total.refunded + total.reversed)} went back, net ${money(total.net)}. The table below has the figures.`}
      series={[
        { name: 'Received', tone: 'first', values: periods.map(({ received }) => received) },
        ...(back.some((amount) => amount !== 0)
          ? [{ name: 'Refunded or came back', tone: 'second' as const, values: back }]
          : []),
      ]}
      {...(back.some((amount) => amount !== 0) && {
        over: { name: 'Net', tone: 'third' as const, values: periods.map(({ net }) => net) },
      })}
      places={periods.map((period) => (by === 'month' ? words.month(period.period) : words.shortDay(period.from)))}
      markText={(value) => words.shortMoney(value, currency)}
      text={money}
      desk={at}
    />
  )
}

export default async function Cash({ searchParams }: { searchParams: SearchParams }) {
  const { contractor, at, given, ctx } = await openReport(getCashFlow, searchParams, PARAMETERS)
  const [{ report, faults }, coming] = await Promise.all([
    readReport(getCashFlow, ctx, inputOf(given)),
    mayRun(getReceivablesAging, ctx.actor) ? comingOf(ctx, at.today, given.currency).catch(noneIfRefused) : undefined,
  ])
  const { money, day } = at.words
  const days = report ? `${day(report.from)} to ${day(report.to)}` : ''
  return (
    <ReportPage
      title="Cash"
      path={PATH}
      given={given}
      contractor={contractor}
      desk={at}
      days={days}
      text={
        report &&
        `${money(report.total.received, report.currency)} received from ${days}, net ${money(report.total.net, report.currency)}.`
      }
      fields={periodFields([
        { value: 'month', text: 'Month' },
        { value: 'week', text: 'Week' },
      ])}
      presets={periodPresets(at.today)}
      shown={report ? { from: report.from, to: report.to, by: report.by } : {}}
      faults={faults}
      basis={report?.basis}
      otherCurrencies={report?.otherCurrencies}
      exports
    >
      {report && <Picture report={report} at={at} />}
      {report && (
        <section aria-label={`By ${report.by}`}>
          <DataTable
            caption={`Cash by ${report.by}`}
            columns={columnsOf({ ...report, at })}
            rows={report.periods.toReversed()}
            rowKey={({ period }) => period}
            desk={at}
          />
        </section>
      )}
      {report && coming && <ComingIn coming={coming} currency={report.currency} desk={at} />}
    </ReportPage>
  )
}
