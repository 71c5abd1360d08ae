import * as z from 'zod'
import { database } from '@/db/client'
import { type ActivityKind, MOST_CHANGES, recentActivity } from '@/db/queries/reports/recent-activity'
import { updateAnyStaleStatuses } from '@/db/queries/stale-statuses'
import { RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import { grouped } from '@/lib/core/text'
import { dayOf } from '@/lib/core/time'
import { LEAD_CATEGORIES } from '@/lib/leads/category'
import { Amount, Currency } from '@/lib/resources/fields'
import { InvoiceStatus } from '@/lib/resources/invoices'
import { ProjectStatus } from '@/lib/resources/projects'
import { resources } from '@/lib/resources/registry'
import { type Context, defineOperation } from '../define'
import { Basis, Count, contractorDays, Day, DayInput, Sum } from './fields'
import { requireOrder, requireRecent } from './periods'

const KINDS = ['leads', 'payments', 'invoices', 'overdue', 'statuses', 'notes'] as const satisfies ActivityKind[]
const LIMIT = { error: 'must be a whole number from 1 to 25' }

/** The days back that are told: as long as changes of status and the feed are kept. */
const MOST_DAYS = 90
/** The days back when nothing is said: the last week. */
const USUAL_DAYS = 7
const DAY_MS = 86_400_000

const WHOSE = {
  customerId: z.string(),
  customerName: z.string().optional(),
  projectId: z.string().optional(),
  projectName: z.string().optional(),
}

/** How many records of a kind there are, what they sum up to, and the latest of them. */
const activityOf = <T extends z.ZodRawShape>(item: T) =>
  z.object({ count: Count, items: z.array(z.object({ ...item, ...WHOSE })).describe('The latest') })
const summedOf = <T extends z.ZodRawShape>(item: T) =>
  activityOf(item).extend({ total: z.array(z.object({ currency: Currency, amount: Sum })) })

const ACTIVITY = {
  leads: activityOf({
    date: Day,
    leadName: z.string().describe('As the sender gave it'),
    source: z.string(),
    category: z.enum(LEAD_CATEGORIES),
    status: ProjectStatus,
  }).describe('Leads by the day they came in'),
  payments: summedOf({ id: z.string(), date: Day, amount: Amount, currency: Currency, method: z.string() }).describe(
    'Payments by the day they were received, before refunds',
  ),
  invoices: summedOf({
    id: z.string(),
    number: z.string(),
    date: Day,
    dueDate: Day,
    amount: Amount,
    currency: Currency,
    status: InvoiceStatus,
  }).describe('Invoices by their own date'),
  overdue: summedOf({
    id: z.string(),
    number: z.string(),
    date: Day.describe('First day overdue'),
    dueDate: Day,
    unpaid: Amount,
    currency: Currency,
  }).describe('Invoices that became overdue and are unpaid still; total is what is unpaid'),
  statuses: activityOf({
    type: z.enum(['project', 'estimate']),
    id: z.string(),
    name: z.string().describe('Of the project, or the number of the estimate'),
    date: Day.describe('When it was noticed here; a file does not say when it happened'),
    from: z.string(),
    to: z.string(),
  }).describe('Projects and estimates whose status is another one than before'),
  notes: activityOf({
    id: z.string(),
    kind: z.enum(['note', 'follow_up']),
    date: Day,
    noteText: z.string().optional(),
    followUpOn: Day.optional(),
    author: z.string(),
  }).describe('Notes and follow-ups by the day they were written'),
} satisfies Record<ActivityKind, z.ZodType>

const StoredCount = z.int().nullable()

/** Returns the day that is told from when nothing is said. */
const usualSince = (today: string) => dayOf(new Date(new Date(today).getTime() - USUAL_DAYS * DAY_MS))

const Report = z.object({
  ...z.object(ACTIVITY).partial().shape,
  stored: z
    .array(
      z.object({ resource: z.enum(RESOURCE_NAMES), created: StoredCount, updated: StoredCount, deleted: StoredCount }),
    )
    .describe(
      `Records that were stored here since then, whatever days they tell; a load stores many. Null beyond ${grouped(MOST_CHANGES)}`,
    ),
})

async function run(
  { actor, now }: Context,
  asked: { since?: string | undefined; kinds: ActivityKind[]; limit: number },
) {
  const { contractorId, scopes } = actor
  const db = await database()
  const { zone, today } = await contractorDays(db, contractorId, now)
  const since = asked.since ?? usualSince(today)
  requireOrder(since, today, 'since')
  requireRecent(since, today, MOST_DAYS)
  await updateAnyStaleStatuses(db, resources.invoices.source, contractorId)
  await updateAnyStaleStatuses(db, resources.estimates.source, contractorId)
  const readable = RESOURCE_NAMES.filter((name) => scopes.has(scopeOf(name)))
  const report = await recentActivity(db, {
    contractorId,
    kinds: KINDS.filter((kind) => asked.kinds.includes(kind)),
    zone,
    since,
    today,
    limit: asked.limit,
    statusesOf: [resources.projects, resources.estimates]
      .map(({ name }) => name)
      .filter((name) => readable.includes(name)),
    storedOf: readable,
  })
  const basis = `Days of ${zone}, ${since} to ${today}, each record by its own business date. Loading a file is no activity: what it stored is in stored.`
  return { since, to: today, ...Report.parse(JSON.parse(report)), basis }
}

/** Reports what happened lately, by the days that it happened on and not by when files were loaded. */
export const getRecentActivity = defineOperation({
  name: 'get_recent_activity',
  title: 'Recent activity',
  description:
    'What happened since a day, such as “since Monday”: new leads, payments received, invoices issued, invoices that became overdue, changes of status, notes and ' +
    'follow-ups, each by its own date in the contractor’s days, with counts, sums and names. Loading old records is not activity. For all that are overdue today use list_invoices. For more than 90 days use the reports.',
  access: ['read:projects', 'read:customers', 'read:invoices', 'read:payments'],
  effect: 'read',
  input: z
    .object({
      since: DayInput.optional().describe(
        'First day, such as 2026-11-16; a week ago when left out. At most 90 days back',
      ),
      kinds: z
        .array(z.enum(KINDS))
        .min(1)
        .max(KINDS.length)
        .default([...KINDS])
        .describe('Only these; all when left out'),
      limit: z.int(LIMIT).min(1, LIMIT).max(25, LIMIT).default(10).describe('Records of each kind, the latest'),
    })
    .strict(),
  output: z.object({ since: Day, to: Day.describe('Today'), ...Report.shape, basis: Basis }),
  example: {
    since: '2026-11-16',
    to: '2026-11-20',
    payments: {
      count: 1,
      total: [{ currency: 'USD', amount: 5000 }],
      items: [
        {
          id: resources.payments.example.id,
          date: '2026-11-17',
          amount: 5000,
          currency: 'USD',
          method: 'check',
          customerId: resources.customers.example.id,
          customerName: 'Dana Whitfield',
          projectId: resources.projects.example.id,
          projectName: 'Re-roof, architectural shingle, 28 sq',
        },
      ],
    },
    stored: [{ resource: 'payments', created: 1, updated: 0, deleted: 0 }],
    basis: 'Days of America/New_York, 2026-11-16 to 2026-11-20, each record by its own business date.',
  },
  tool: {
    category: 'finance',
    example: { kinds: ['payments', 'leads'] },
    untrusted: ['leadName', 'source', 'customerName', 'projectName', 'name', 'noteText', 'author'],
  },
  run,
})
