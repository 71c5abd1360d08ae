import type * as z from 'zod'
import { hrefOf } from '@/app/query'
import { type Change, Stat } from '@/app/ui/stat'
import type { Desk } from '@/lib/core/desk'
import type { getBusinessOverview } from '@/lib/operations/overview/get-business-overview'

type Business = z.output<typeof getBusinessOverview.output>
type Figure = NonNullable<Business['open']>

/** How a figure differs from the one before; `more` is whether more of it is good news. */
function changeOf(
  { change }: Figure,
  than: string,
  amount: (value: number) => string,
  more?: 'good' | 'danger',
): Change {
  if (change === 0) return { text: `The same as ${than}` }
  const less = { good: 'danger', danger: 'good' } as const
  const tone = more && (change > 0 ? more : less[more])
  return { text: `${amount(Math.abs(change))} ${change > 0 ? 'more' : 'less'} than ${than}`, ...(tone && { tone }) }
}

const lineOf = ({ points }: Figure, name: string, amount: (value: number) => string) => ({
  label: `${name} in the last 30 days: from ${amount(points[0]?.amount ?? 0)} to ${amount(points.at(-1)?.amount ?? 0)} a day`,
  values: points.map((point) => point.amount),
})

const daysOf = ({ beforeFrom, beforeTo }: Figure, { words }: Desk) =>
  beforeFrom === null || beforeFrom === beforeTo
    ? words.shortDay(beforeTo)
    : `${words.shortDay(beforeFrom)} to ${words.shortDay(beforeTo)}`

/** The four figures of the business; each leads to the report with the same total. Those that the reader may not see are left out. */
export function Figures({ business, desk }: { business: Business; desk: Desk }) {
  const { open, overdue, paid, leads, currency, today } = business
  const money = (amount: number) => desk.words.money(amount, currency)
  const leadsOf = (count: number) => desk.words.count(count, 'lead')
  return (
    <section aria-label="Today" className="mb-6 grid gap-3 *:min-w-0 sm:grid-cols-2 xl:grid-cols-4">
      {open && (
        <Stat
          name="Open"
          figure={money(open.figure)}
          href="/reports/who-owes"
          change={changeOf(open, daysOf(open, desk), money)}
          line={lineOf(open, 'Open', money)}
        />
      )}
      {overdue && (
        <Stat
          name="Overdue"
          figure={money(overdue.figure)}
          href={hrefOf('/reports/open-invoices', { age: 'overdue', sort: '-unpaid' })}
          change={changeOf(overdue, daysOf(overdue, desk), money, 'danger')}
          line={lineOf(overdue, 'Overdue', money)}
        />
      )}
      {paid && (
        <Stat
          name="Paid this month"
          figure={money(paid.figure)}
          href={hrefOf('/reports/cash', { from: paid.from ?? undefined, to: today })}
          change={changeOf(paid, daysOf(paid, desk), money, 'good')}
          line={lineOf(paid, 'Paid', money)}
        />
      )}
      {leads && (
        <Stat
          name="Leads this week"
          figure={desk.words.number(leads.figure)}
          href={hrefOf('/reports/leads', { from: leads.from ?? undefined, to: today })}
          change={changeOf(leads, daysOf(leads, desk), leadsOf, 'good')}
          line={lineOf(leads, 'Leads', leadsOf)}
        />
      )}
    </section>
  )
}
