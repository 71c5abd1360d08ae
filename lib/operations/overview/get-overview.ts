import { z } from 'zod'
import { database, withinContractor } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { findContractor } from '@/db/queries/contractors'
import { dueFollowUps } from '@/db/queries/entries'
import { begunBy, dataChangedAt, leadCounts, overdueOf } from '@/db/queries/overview'
import { turnIfStale } from '@/db/queries/turning'
import { firstIdAt } from '@/lib/core/ids'
import { dayIn } from '@/lib/core/time'
import { findAlerts } from '@/lib/notify/alerts'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { mayRun } from '../access'
import { getAlerts } from '../alerts/alerts'
import { getConnector } from '../connectors/get-connector'
import { defineOperation } from '../define'
import { listLeadDeliveries } from '../deliveries'
import { StoppedData, stoppedData } from './stopped-data'

const DAY_MS = 86_400_000
/** How far back a tool call is looked for. */
const TOOL_DAYS = 90

/** How long a follow-up stays on the page after its day, and how many are shown. */
const DUE_DAYS = 90
const MOST_DUE = 5
/** Counted up to here, so that the page costs the same however many are due. */
const MOST_COUNTED = 100

/** Midnight UTC of the day a moment is in. */
const dayBegan = (now: Date) => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)

const Moment = z.iso.datetime({ precision: 3 }).nullable()

/** How a contractor stands at this moment, for the first page of the portal. */
export const getOverview = defineOperation({
  name: 'get_overview',
  title: 'Overview',
  description:
    'Where a contractor stands today: what is overdue, how old the data is, leads of this day (UTC) with those refused, follow-ups that are due, ' +
    'alerts, what should load by itself and does not, and which first steps are done. What the caller may not see is null.',
  access: 'any_key',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({
    overdue: z
      .array(z.object({ currency: z.string(), amount: z.number(), invoices: z.int() }))
      .nullable()
      .describe('Unpaid parts of overdue invoices, by currency; null without the scope read:invoices'),
    changedAt: Moment.describe('When a record last changed; null without records'),
    loadedAt: Moment.describe('When data was last loaded; null when the audit log names no load'),
    leads: z
      .object({
        deliveries: z.int().describe('Deliveries to the lead webhook today'),
        leads: z.int().describe('Of those, new leads'),
        refused: z.int().describe('Of those, refused or failed and not recovered by a replay'),
      })
      .nullable()
      .describe('Null for those who may not see deliveries'),
    followUps: z
      .object({
        total: z.int().describe(`At most ${MOST_COUNTED}: then there may be more`),
        items: z
          .array(
            z.object({
              projectId: z.string(),
              project: z.string(),
              customer: z.string(),
              text: z.string().nullable(),
              on: z.string().describe('A day in the contractor’s calendar'),
            }),
          )
          .describe(`The latest ${MOST_DUE}`),
      })
      .nullable()
      .describe(
        `Follow-ups of open leads that are due today or were within ${DUE_DAYS} days; null without the scope read:projects`,
      ),
    alerts: z
      .array(z.object({ title: z.string(), path: z.string() }))
      .nullable()
      .describe('Error spikes and loads with errors of the last 24 hours; null for those who get no alerts'),
    stopped: z.array(StoppedData).describe('Data that should come in by itself and does not'),
    begun: z
      .object({ load: z.boolean(), key: z.boolean(), request: z.boolean(), lead: z.boolean(), tool: z.boolean() })
      .nullable()
      .describe(`First steps that are done, a tool call within ${TOOL_DAYS} days; null as leads is`),
  }),
  example: {
    overdue: [{ currency: 'USD', amount: 2380.3, invoices: 1 }],
    changedAt: '2026-11-20T08:30:00.000Z',
    loadedAt: '2026-11-20T08:30:00.000Z',
    leads: { deliveries: 9, leads: 6, refused: 3 },
    followUps: {
      total: 1,
      items: [
        {
          projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
          project: 'Re-roof, architectural shingle, 28 sq',
          customer: 'Dana Whitfield',
          text: 'Ask whether the estimate was received.',
          on: '2026-11-20',
        },
      ],
    },
    alerts: [{ title: '1 load with errors', path: '/audit?event=data_loaded' }],
    stopped: [],
    begun: { load: true, key: true, request: true, lead: true, tool: false },
  },
  run: async ({ actor, now }) => {
    const { contractorId } = actor
    const db = await database()
    const seesInvoices = actor.scopes.has('read:invoices')
    const seesDeliveries = mayRun(listLeadDeliveries, actor)
    if (seesInvoices) await turnIfStale(db, resources.invoices.source, contractorId)
    const seesProjects = actor.scopes.has('read:projects')
    const getsAlerts = mayRun(getAlerts, actor)
    const { timezone = 'UTC' } = (await findContractor(db.orm, contractorId)) ?? {}
    const dueDays = {
      contractorId,
      from: dayIn(timezone, new Date(now.getTime() - DUE_DAYS * DAY_MS)),
      to: dayIn(timezone, now),
    }
    const lastDay = { contractorId, from: new Date(now.getTime() - DAY_MS), to: now }
    const since = new Date(now.getTime() - TOOL_DAYS * DAY_MS).toISOString()
    return await withinContractor(db.orm, contractorId, async (orm) => {
      const [load] = await listAudit(orm, { contractorId, event: 'data_loaded', limit: 1 })
      return {
        overdue: seesInvoices ? await overdueOf(orm, contractorId) : null,
        changedAt: await dataChangedAt(
          orm,
          contractorId,
          RESOURCES.map(({ source }) => source),
        ),
        loadedAt: load?.at.toISOString() ?? null,
        leads: seesDeliveries ? await leadCounts(orm, contractorId, firstIdAt('delivery', dayBegan(now))) : null,
        followUps: seesProjects ? await dueFollowUps(orm, dueDays, { most: MOST_COUNTED, shown: MOST_DUE }) : null,
        alerts: getsAlerts
          ? (await findAlerts(orm, ['error_spikes', 'failed_loads'], lastDay)).map(({ title, path }) => ({
              title,
              path,
            }))
          : null,
        stopped: await stoppedData(orm, { contractorId, isAdmin: mayRun(getConnector, actor), now }),
        begun: seesDeliveries ? await begunBy(orm, contractorId, since) : null,
      }
    })
  },
})
