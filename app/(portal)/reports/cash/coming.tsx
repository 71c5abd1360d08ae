import { hrefOf } from '@/app/query'
import { Card } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import type { Desk } from '@/lib/core/desk'
import type { Context } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import { getReceivablesAging } from '@/lib/operations/reports/receivables-aging'
import { daysAfter } from '../periods'

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
export function ComingIn({ coming, currency, desk }: { coming: Coming[]; currency: string; desk: Desk }) {
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
