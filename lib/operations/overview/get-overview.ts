import { z } from 'zod'
import { database, withinContractor } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { begunBy, dataChangedAt, leadCounts, overdueOf } from '@/db/queries/overview'
import { turnIfStale } from '@/db/queries/turning'
import { firstIdAt } from '@/lib/core/ids'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { mayRun } from '../access'
import { defineOperation } from '../define'
import { listLeadDeliveries } from '../deliveries'

const DAY_MS = 86_400_000
/** How far back a tool call is looked for. */
const TOOL_DAYS = 90

/** Midnight UTC of the day a moment is in. */
const dayBegan = (now: Date) => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)

const Moment = z.iso.datetime({ precision: 3 }).nullable()

/** How a contractor stands at this moment, for the first page of the portal. */
export const getOverview = defineOperation({
  name: 'get_overview',
  title: 'Overview',
  description:
    'Where a contractor stands today: what is overdue, how old the data is, leads of this day (UTC) with those refused, and which first steps are ' +
    'done. What the caller may not see is null.',
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
    begun: { load: true, key: true, request: true, lead: true, tool: false },
  },
  run: async ({ actor, now }) => {
    const { contractorId } = actor
    const db = await database()
    const seesInvoices = actor.scopes.has('read:invoices')
    const seesDeliveries = mayRun(listLeadDeliveries, actor)
    if (seesInvoices) await turnIfStale(db, resources.invoices.source, contractorId)
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
        begun: seesDeliveries ? await begunBy(orm, contractorId, since) : null,
      }
    })
  },
})
