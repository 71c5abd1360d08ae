import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { begunBy, dataChangedAt } from '@/db/queries/overview'
import { findAlerts } from '@/lib/notify/alerts'
import { RESOURCES } from '@/lib/resources/registry'
import { mayRun } from '../access'
import { getAlerts } from '../alerts/alerts'
import { getConnector } from '../connectors/get-connector'
import { defineOperation } from '../define'
import { listLeadDeliveries } from '../deliveries'
import { StoppedData, stoppedData } from './stopped-data'

const DAY_MS = 86_400_000
/** The days back in which a tool call is looked for. */
const TOOL_DAYS = 90

const Moment = z.iso.datetime({ precision: 3 }).nullable()

/** Returns how a contractor’s data comes in, for the first page of the portal. */
export const getOverview = defineOperation({
  name: 'get_overview',
  title: 'Overview',
  description:
    'How old a contractor’s data is, alerts of the last day, what should load by itself and does not, and which first steps are done. What the caller may not see is null.',
  access: 'any_key',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({
    changedAt: Moment.describe('When a record last changed; null without records'),
    loadedAt: Moment.describe('When data was last loaded; null when the audit log names no load'),
    alerts: z
      .array(z.object({ title: z.string(), path: z.string() }))
      .nullable()
      .describe('Error spikes and loads with errors of the last 24 hours; null for those who get no alerts'),
    stopped: z.array(StoppedData).describe('Data that should come in by itself and does not'),
    begun: z
      .object({ load: z.boolean(), key: z.boolean(), request: z.boolean(), lead: z.boolean(), tool: z.boolean() })
      .nullable()
      .describe(
        `First steps that are done, a tool call within ${TOOL_DAYS} days; null for those who may not see deliveries`,
      ),
  }),
  example: {
    changedAt: '2026-11-20T08:30:00.000Z',
    loadedAt: '2026-11-20T08:30:00.000Z',
    alerts: [{ title: '1 load with errors', path: '/audit?event=data_loaded' }],
    stopped: [],
    begun: { load: true, key: true, request: true, lead: true, tool: false },
  },
  run: async ({ actor, now }) => {
    const { contractorId } = actor
    const db = await database()
    const seesDeliveries = mayRun(listLeadDeliveries, actor)
    const getsAlerts = mayRun(getAlerts, actor)
    const lastDay = { contractorId, from: new Date(now.getTime() - DAY_MS), to: now }
    const since = new Date(now.getTime() - TOOL_DAYS * DAY_MS).toISOString()
    return await withinContractor(db.orm, contractorId, async (orm) => {
      const [load] = await listAudit(orm, { contractorId, event: 'data_loaded', limit: 1 })
      return {
        changedAt: await dataChangedAt(
          orm,
          contractorId,
          RESOURCES.map(({ source }) => source),
        ),
        loadedAt: load?.at.toISOString() ?? null,
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
