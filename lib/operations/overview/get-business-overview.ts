import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { dayIn } from '@/lib/core/time'
import { Currency } from '@/lib/resources/fields'
import { defineOperation } from '../define'
import { Day } from '../reports/fields'
import { Figure, monthTo, openFigures, periodFigure, weekTo } from './figures'
import { NeedsYou, needsYou } from './needs-you'

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
