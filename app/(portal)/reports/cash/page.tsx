import type { Metadata } from 'next'
import { hrefOf, type SearchParams } from '@/app/query'
import { Card } from '@/app/ui/card'
import { Bars } from '@/app/ui/chart-bars'
import { DataTable } from '@/app/ui/data-table'
import { ReportPage } from '@/app/ui/report-page'
import type { Desk } from '@/lib/core/desk'
import { mayRun } from '@/lib/operations/access'
import type { Context } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import { getCashFlow } from '@/lib/operations/reports/cash-flow'
import { getReceivablesAging } from '@/lib/operations/reports/receivables-aging'
import { daysAfter, periodFields, periodPresets } from '../periods'
import { noneIfRefused, openReport, readReport } from '../read'
import { type CashFlow, columnsOf, inputOf, PARAMETERS } from './table'

type Coming = { name: string; amount: number; age?: string }

/** The last day of each part of the days ahead, counted from today. */
const DAYS = [30, 60, 90]

/**
 * Returns what is due when. What falls due up to a day is what would be late the day after if nothing more were paid, by the same report that
 * tells what is late today.
 */
export async function comingOf(ctx: Context, today: string, currency: string | undefined): Promise<Coming[]> {
  const ahead = DAYS.map((days) => daysAfter(today, days + 1))
  const [now, ...later] = await Promise.all(
    [today, ...ahead].map((asOf) => execute(getReceivablesAging, ctx, { asOf, currency, limit: 1 })),
  )
  if (!now) return []
  const last = later.at(-1)?.total ?? now.total
  const steps = [now, ...later].map(({ total }) => Math.round(total.overdue * 100))
  const due = (at: number) => ((steps[at + 1] ?? 0) - (steps[at] ?? 0)) / 100
  const rest = (Math.round(last.current * 100) + Math.round(last.future * 100)) / 100
  return [
    { name: 'Late already', amount: now.total.overdue, age: 'overdue' },
    ...DAYS.map((days, at) => ({
      name: at === 0 ? `Due today or in the next ${days} days` : `Due in ${(DAYS[at - 1] ?? 0) + 1} to ${days} days`,
      amount: due(at),
    })),
    { name: `Due after ${DAYS.at(-1)} days`, amount: rest },
  ]
}

/** Shows what is to come in by when it is due, from invoices that are open or dated ahead. */
function ComingIn({ coming, currency, desk }: { coming: Coming[]; currency: string; desk: Desk }) {
  const whole = coming.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) / 100
  return (
    <Card
      title="What comes"
      text="Open invoices and those dated ahead, by the day they are due. What customers pay late comes later."
    >
      <DataTable
        caption="What comes"
        columns={[
          {
            name: 'when',
            head: 'Due',
            kind: 'text',
            value: ({ name }) => name,
            href: ({ age }) =>
              age
                ? hrefOf('/reports/open-invoices', { age, currency: desk.currency === currency ? undefined : currency })
                : undefined,
          },
          {
            name: 'amount',
            head: 'Amount',
            kind: 'money',
            value: ({ amount }) => amount,
            currency: () => currency,
            total: desk.words.money(whole, currency),
          },
        ]}
        rows={coming}
        rowKey={({ name }) => name}
        desk={desk}
      />
    </Card>
  )
}

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
