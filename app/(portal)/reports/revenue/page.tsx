import type { Metadata } from 'next'
import { hrefOf, type SearchParams } from '@/app/query'
import { Card } from '@/app/ui/card'
import { Bars } from '@/app/ui/chart-bars'
import { classes } from '@/app/ui/classes'
import { DataTable } from '@/app/ui/data-table'
import { ReportPage } from '@/app/ui/report-page'
import type { Desk } from '@/lib/core/desk'
import { getRevenueSummary } from '@/lib/operations/reports/revenue-summary'
import { openReport } from '../read'
import { lineColumns, monthColumns, monthsOf, OF, type Of, ofOf, PARAMETERS, readYears, yearOf } from './table'

export const metadata: Metadata = { title: 'Revenue' }

const PATH = '/reports/revenue'

type Years = Awaited<ReturnType<typeof readYears>>

/** How much more or less, in words; undefined without an earlier amount. */
function changeText(now: number, before: number, words: Desk['words']): string | undefined {
  if (before <= 0) return undefined
  const ratio = (now - before) / before
  return `${words.percent(Math.abs(ratio))} ${ratio < 0 ? 'less' : 'more'}`
}

function Content({
  years: { now, before, customers, trades },
  year,
  of,
  at,
}: {
  years: Years
  year: number
  of: Of
  at: Desk
}) {
  const { words } = at
  const { currency } = now
  const months = monthsOf(now, before, of)
  const money = (amount: number) => words.money(amount, currency)
  const names = Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}`)
  const monthName = (month: string) => words.shortDay(`${month}-01`).split(' ')[0] ?? month
  const earlier = new Map(before.lines.map((line) => [line.key.slice(5), line[of]]))
  return (
    <>
      <Bars
        title={`${OF[of]} by month`}
        label={`${OF[of]} by month: ${money(now.total[of])} in ${year}, ${money(before.total[of])} in all of ${year - 1}. The table below has the figures.`}
        beside
        series={[
          { name: String(year - 1), tone: 'third', values: names.map((month) => earlier.get(month.slice(5)) ?? 0) },
          { name: String(year), tone: 'first', values: names.map((_, at) => months[at]?.now ?? null) },
        ]}
        places={names.map(monthName)}
        markText={(value) => words.shortMoney(value, currency)}
        text={money}
        desk={at}
      />
      <section aria-label="By month">
        <DataTable
          caption={`${OF[of]} by month`}
          columns={monthColumns(year, of, { at, currency, now: now.total[of], before: customers.totalBefore[of] })}
          rows={months}
          rowKey={({ month }) => month}
          desk={at}
          totalName={`Same days of both years`}
        />
      </section>
      <div className="grid gap-6 *:min-w-0 xl:grid-cols-2">
        <Card title="Customers" text="The ten who paid the most.">
          <DataTable
            caption="Revenue by customer"
            columns={lineColumns('Customer', of, customers, true)}
            rows={customers.lines.toSorted((a, b) => b[of] - a[of])}
            rowKey={({ key }) => key}
            desk={at}
          />
        </Card>
        <Card title="Trades" text="Read from the names of projects.">
          <DataTable
            caption="Revenue by trade"
            columns={lineColumns('Trade', of, trades, false)}
            rows={trades.lines.toSorted((a, b) => b[of] - a[of])}
            rowKey={({ key }) => key}
            desk={at}
          />
        </Card>
      </div>
    </>
  )
}

function OfLinks({ of, given }: { of: Of; given: Record<string, string> }) {
  return (
    <nav aria-label="What counts" className="flex gap-4 border-b border-line print:hidden">
      {(Object.keys(OF) as Of[]).map((name) => (
        <a
          key={name}
          href={hrefOf(PATH, { ...given, of: name === 'invoiced' ? undefined : name })}
          {...(name === of && { 'aria-current': 'true' as const })}
          className={classes(
            '-mb-px border-b-2 px-0.5 py-2 text-sm no-underline',
            name === of ? 'border-ink font-semibold text-ink' : 'border-transparent text-quiet hover:text-ink',
          )}
        >
          {OF[name]}
        </a>
      ))}
    </nav>
  )
}

export default async function RevenuePage({ searchParams }: { searchParams: SearchParams }) {
  const { contractor, at, given, ctx } = await openReport(getRevenueSummary, searchParams, PARAMETERS)
  const [year, of] = [yearOf(given, at.today), ofOf(given)]
  const present = Number(at.today.slice(0, 4))
  const years = await readYears(ctx, year, at.today, given.currency)
  const { now, customers } = years
  const { money, day } = at.words
  const change = changeText(now.total[of], customers.totalBefore[of], at.words)
  return (
    <ReportPage
      title="Revenue"
      path={PATH}
      given={given}
      contractor={contractor}
      desk={at}
      days={`${year}`}
      text={`${money(now.total[of], now.currency)} ${of === 'net' ? 'received, net,' : 'invoiced'} from ${day(now.from)} to ${day(now.to)}${change ? `, ${change} than on the same days of ${year - 1}` : ''}.`}
      fields={[]}
      presets={[0, 1, 2, 3].map((back) => ({ name: String(present - back), days: { year: String(present - back) } }))}
      shown={{ year: String(year) }}
      basis={now.basis}
      otherCurrencies={now.otherCurrencies}
      exports
    >
      <OfLinks of={of} given={given} />
      <Content years={years} year={year} of={of} at={at} />
    </ReportPage>
  )
}
