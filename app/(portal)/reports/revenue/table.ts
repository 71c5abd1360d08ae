import type * as z from 'zod'
import { type DataColumn, sentence } from '@/app/ui/data-column'
import type { Desk } from '@/lib/core/desk'
import type { Context } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import { getRevenueSummary } from '@/lib/operations/reports/revenue-summary'
import { recordHref } from '../../record-href'
import { fileOf } from '../file'

export type Revenue = z.output<typeof getRevenueSummary.output>
export type Line = Revenue['lines'][number]

export const PARAMETERS = ['year', 'of', 'currency'] as const

/** What counts as revenue: what was invoiced, or what was received less what went back. */
export const OF = { invoiced: 'Invoiced', net: 'Received, net' } as const
export type Of = keyof typeof OF

/** A month of a year beside the same month of the year before; `before` is null for a month that neither has. */
export type Month = { month: string; now: number; before: number; change: number | null; isPartial: boolean }

const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'))

/** Returns the days of a year up to today. */
export function daysOf(year: number, today: string): { from: string; to: string } {
  const last = `${year}-12-31`
  return { from: `${year}-01-01`, to: last > today && year === Number(today.slice(0, 4)) ? today : last }
}

/** Puts the months of a year beside those of the year before. Months after the last day that counts are left out. */
export function monthsOf(now: Revenue, before: Revenue, of: Of): Month[] {
  const year = now.to.slice(0, 4)
  const amounts = ({ lines }: Revenue) => new Map(lines.map((line) => [line.key.slice(5), line]))
  const [own, earlier] = [amounts(now), amounts(before)]
  return MONTHS.filter((month) => `${year}-${month}` <= now.to.slice(0, 7)).map((month) => {
    const line = own.get(month)
    const [mine, theirs] = [line?.[of] ?? 0, earlier.get(month)?.[of] ?? 0]
    const isPartial = line?.partial ?? false
    return {
      month: `${year}-${month}`,
      now: mine,
      before: theirs,
      change: isPartial || theirs === 0 ? null : (mine - theirs) / theirs,
      isPartial,
    }
  })
}

/** Runs the report of a year by month, of the year before, and by customer with both years' same days. */
export async function readYears(ctx: Context, year: number, today: string, currency: string | undefined) {
  const days = daysOf(year, today)
  const by = (what: 'month' | 'customer' | 'trade', given: { from: string; to: string }) =>
    execute(getRevenueSummary, ctx, { by: what, ...given, currency, limit: 25 })
  const [now, before, customers, trades] = await Promise.all([
    by('month', days),
    by('month', { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` }),
    execute(getRevenueSummary, ctx, { by: 'customer', to: days.to, currency, limit: 10 }),
    execute(getRevenueSummary, ctx, { by: 'trade', to: days.to, currency, limit: 25 }),
  ])
  return { now, before, customers, trades }
}

type Shown = { at: Desk; currency: string }

export function monthColumns(
  year: number,
  of: Of,
  shown?: Shown & { now: number; before: number },
): DataColumn<Month>[] {
  const currency = () => shown?.currency
  const total = (amount: number | undefined) =>
    shown && amount !== undefined ? shown.at.words.money(amount, shown.currency) : undefined
  return [
    {
      name: 'month',
      head: 'Month',
      kind: 'text',
      value: ({ month, isPartial }) => (shown ? shown.at.words.month(month) + (isPartial ? ' so far' : '') : month),
    },
    {
      name: 'now',
      head: `${OF[of]} ${year}`,
      kind: 'money',
      value: ({ now }) => now,
      currency,
      total: total(shown?.now),
    },
    {
      name: 'before',
      head: `${year - 1}`,
      kind: 'money',
      value: ({ before }) => before,
      currency,
      total: total(shown?.before),
    },
    { name: 'change', head: 'Change', kind: 'percent', value: ({ change }) => change },
  ]
}

/** The columns of customers or trades beside the same days of the year before. */
export function lineColumns(head: string, of: Of, report: Revenue, hrefs: boolean): DataColumn<Line>[] {
  const currency = () => report.currency
  return [
    {
      name: 'name',
      head,
      kind: 'text',
      value: ({ name }) => (hrefs ? name : sentence(name)),
      ...(hrefs && { href: ({ key }: Line) => recordHref('customers', key) }),
    },
    { name: 'now', head: OF[of], kind: 'money', value: (line) => line[of], currency },
    {
      name: 'before',
      head: 'Same days last year',
      kind: 'money',
      value: ({ before }) => before[of] || null,
      currency,
      rank: 2,
    },
    {
      name: 'share',
      head: 'Share',
      kind: 'percent',
      value: (line) => (report.total[of] > 0 ? line[of] / report.total[of] : null),
    },
  ]
}

export const yearOf = ({ year }: Record<string, string>, today: string): number =>
  /^[12]\d{3}$/.test(year ?? '') ? Number(year) : Number(today.slice(0, 4))
export const ofOf = ({ of }: Record<string, string>): Of => (of === 'net' ? 'net' : 'invoiced')

export const revenueFile = fileOf<Month>(
  getRevenueSummary,
  PARAMETERS,
  () => [
    { name: 'month', head: 'Month', kind: 'text', value: ({ month }) => month },
    { name: 'now', head: 'This year', kind: 'money', value: ({ now }) => now },
    { name: 'before', head: 'Year before', kind: 'money', value: ({ before }) => before },
  ],
  async (ctx, at, given) => {
    const { now, before } = await readYears(ctx, yearOf(given, at.today), at.today, given.currency)
    return { rows: monthsOf(now, before, ofOf(given)), more: 0 }
  },
)
