import { LRUCache } from 'lru-cache'
import * as z from 'zod'
import { type Database, database, withinContractor } from '@/db/client'
import { recordsState } from '@/db/queries/browse'
import { findContractor } from '@/db/queries/contractors'
import { type FiguresQuery, openByDay, sumsByDay } from '@/db/queries/reports/business-figures'
import { shared } from '@/lib/core/shared'
import { dayIn, dayOf } from '@/lib/core/time'
import { Currency } from '@/lib/resources/fields'
import { resources } from '@/lib/resources/registry'
import { defineOperation } from '../define'
import { Day, Sum } from '../reports/fields'
import { NeedsYou, needsYou } from './needs-you'

const DAY_MS = 86_400_000
/** The days of a line. */
const POINTS = 30

/** A figure, what it is compared with, and its line. */
const Figure = z.object({
  figure: Sum,
  before: Sum.describe('The same of the period before'),
  change: Sum.describe('figure - before'),
  from: Day.nullable().describe('The first day of the period; null where it is of one day'),
  beforeFrom: Day.nullable().describe('The first day of the period before'),
  beforeTo: Day.describe('The last day of the period before, or the day that is compared'),
  points: z.array(z.object({ day: Day, amount: Sum })).describe(`One for each of ${POINTS} days, today the last`),
})
type Figure = z.output<typeof Figure>

const OpenLines = z.array(z.object({ day: Day, open: Sum, overdue: Sum }))
const Lines = z.array(z.object({ day: Day, amount: Sum }))

const daysAgo = (day: string, days: number) => dayOf(new Date(Date.parse(day) - days * DAY_MS))
const cents = (amount: number) => Math.round(amount * 100) / 100

/** What was open by day, while the records that it was reckoned from are the same. */
const opened = shared('openByDay', () => new LRUCache<string, { state: string; lines: string }>({ max: 1000 }))

/** Returns what was open and overdue by day. It is kept as counts of lists are, because a page shows it to everybody who comes. */
async function openLines(db: Database, query: FiguresQuery): Promise<z.output<typeof OpenLines>> {
  const { contractorId, zone, today } = query
  const state = await recordsState(db, resources.invoices.source, contractorId)
  const key = [contractorId, zone, today].join(' ')
  const known = opened().get(key)
  if (known && known.state === state) return OpenLines.parse(JSON.parse(known.lines))
  const lines = await openByDay(db, query)
  if (state !== null) opened().set(key, { state, lines })
  return OpenLines.parse(JSON.parse(lines))
}

/** What is open and overdue at the end of today, and was 30 days before. */
async function openFigures(db: Database, query: FiguresQuery): Promise<{ open: Figure; overdue: Figure }> {
  const lines = await openLines(db, query)
  const figureOf = (name: 'open' | 'overdue'): Figure => {
    const [figure, before] = [lines.at(-1)?.[name] ?? 0, lines[0]?.[name] ?? 0]
    const points = lines.slice(-POINTS).map((line) => ({ day: line.day, amount: line[name] }))
    const beforeTo = daysAgo(query.today, POINTS)
    return { figure, before, change: cents(figure - before), from: null, beforeFrom: null, beforeTo, points }
  }
  return { open: figureOf('open'), overdue: figureOf('overdue') }
}

/** A period up to today, and the days of the one before that are compared. */
type Period = { from: string; beforeFrom: string; beforeTo: string }

/** The month up to today, beside as many days of the month before. */
export function monthTo(today: string): Period {
  const from = `${today.slice(0, 8)}01`
  const last = daysAgo(from, 1)
  const beforeFrom = `${last.slice(0, 8)}01`
  const same = `${last.slice(0, 8)}${today.slice(8)}`
  return { from, beforeFrom, beforeTo: same < last ? same : last }
}

/** The week from Monday up to today, beside the same days of the week before. */
export function weekTo(today: string): Period {
  const from = daysAgo(today, (new Date(today).getUTCDay() + 6) % 7)
  return { from, beforeFrom: daysAgo(from, 7), beforeTo: daysAgo(today, 7) }
}

/** What came in up to today in a period. */
async function periodFigure(
  db: Database,
  kind: Parameters<typeof sumsByDay>[1],
  query: FiguresQuery,
  period: Period,
): Promise<Figure> {
  const { today } = query
  const { from, beforeFrom, beforeTo } = period
  const [start = beforeFrom] = [daysAgo(today, POINTS - 1), beforeFrom].sort()
  const lines = Lines.parse(JSON.parse(await sumsByDay(db, kind, { ...query, from: start })))
  const sum = (first: string, last: string) =>
    cents(lines.reduce((all, { day, amount }) => (day >= first && day <= last ? all + amount : all), 0))
  const [figure, before] = [sum(from, today), sum(beforeFrom, beforeTo)]
  const byDay = new Map(lines.map(({ day, amount }) => [day, amount]))
  const points = Array.from({ length: POINTS }, (_, n) => {
    const day = daysAgo(today, POINTS - 1 - n)
    return { day, amount: byDay.get(day) ?? 0 }
  })
  return { figure, before, change: cents(figure - before), from, beforeFrom, beforeTo, points }
}

const A_FIGURE: z.output<typeof Figure> = {
  figure: 9780.3,
  before: 7400,
  change: 2380.3,
  from: null,
  beforeFrom: null,
  beforeTo: '2026-10-21',
  points: [{ day: '2026-11-20', amount: 9780.3 }],
}

/** Returns how the business stands today, for the first page of the portal. */
export const getBusinessOverview = defineOperation({
  name: 'get_business_overview',
  title: 'Business overview',
  description:
    'What is open and overdue today, what was paid this month and how many leads came this week, each beside the period before and with 30 days one by one, and what waits for a person. ' +
    'What the caller may not see is null.',
  access: 'any_key',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({
    today: Day,
    timeZone: z.string(),
    currency: Currency.describe('Of all amounts; records in others are not counted'),
    open: Figure.nullable().describe('What is unpaid, as get_receivables_aging has it, beside 30 days before'),
    overdue: Figure.nullable().describe('The part of it whose due day is over'),
    paid: Figure.nullable().describe(
      'Received this month, as get_cash_flow has it, beside the same days of the month before',
    ),
    leads: Figure.nullable().describe(
      'Leads since Monday, as get_lead_performance has them, beside the same days of the week before',
    ),
    needsYou: z.array(NeedsYou).describe('Kinds of which something waits, the most urgent first'),
  }),
  example: {
    today: '2026-11-20',
    timeZone: 'America/Chicago',
    currency: 'USD',
    open: A_FIGURE,
    overdue: A_FIGURE,
    paid: { ...A_FIGURE, from: '2026-11-01', beforeFrom: '2026-10-01', beforeTo: '2026-10-20' },
    leads: null,
    needsYou: [
      {
        kind: 'refused_leads',
        count: 1,
        path: '/leads?outcome=refused',
        items: [
          { title: 'Dana Whitfield', path: '/leads/dlv_01k9zq2v6n8m4t5c3b7x1w0jd2', at: '2026-11-20T08:30:00.000Z' },
        ],
      },
    ],
  },
  run: async (ctx) => {
    const { actor, now } = ctx
    const { contractorId, scopes } = actor
    const db = await database()
    const contractor = await findContractor(db.orm, contractorId)
    if (!contractor) throw new Error('a contractor that has a key is there')
    const { timezone: zone, currency } = contractor
    const today = dayIn(zone, now)
    const query = { contractorId, zone, today }
    const [opened, paid, leads] = await Promise.all([
      scopes.has('read:invoices') && scopes.has('read:payments') ? openFigures(db, query) : undefined,
      scopes.has('read:payments') ? periodFigure(db, 'received', query, monthTo(today)) : null,
      scopes.has('read:projects') ? periodFigure(db, 'leads', query, weekTo(today)) : null,
    ])
    return {
      today,
      timeZone: zone,
      currency,
      open: opened?.open ?? null,
      overdue: opened?.overdue ?? null,
      paid,
      leads,
      needsYou: await withinContractor(db.orm, contractorId, (orm) => needsYou(orm, ctx, zone)),
    }
  },
})
