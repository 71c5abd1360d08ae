import * as z from 'zod'
import { database } from '@/db/client'
import { projectExtras } from '@/db/queries/reports/project-extras'
import { billedOf } from '@/db/queries/reports/unbilled-work'
import { LEAD_CATEGORIES } from '@/lib/leads/category'
import { Instant } from '@/lib/resources/fields'
import { resources } from '@/lib/resources/registry'
import { type Context, defineOperation } from '../define'
import { listEntries } from '../entries/list-entries'
import { execute } from '../execute'
import { LEAD_PERSON, LeadPerson } from '../lead-person'
import { listedCost } from '../materials/listed-cost'
import { ContractLessMaterials, contractLessMaterials, Materials } from '../reports/contract-less-materials'
import { contractorDays, Sum } from '../reports/fields'
import { getProjectFinancials } from '../reports/project-financials'
import { besideSchema, IdInput, readBeside, readLinked, readRecord, recordSchema } from './parts'

const { customers, projects, invoices, payments, estimates } = resources

const financials = getProjectFinancials.output

/** How a project came. */
export const Lead = z
  .object({ source: z.string(), category: z.enum(LEAD_CATEGORIES), receivedAt: Instant, ...LeadPerson.shape })
  .nullable()
  .describe('Where it came from and who wrote, as sent; null when it came by no lead')
const Extras = z.object({ lead: Lead })

const Entries = listEntries.output

const { project: _project, invoices: _invoices, more: _more, ...MONEY } = getProjectFinancials.example

const ACCESS = ['read:projects', 'read:customers', 'read:invoices', 'read:payments', 'read:estimates'] as const

/** No records beside one. */
export const NOTHING = { items: [], names: {}, count: 0, total: [] }

/** Reads a project with where it came from and what was written on it. */
export async function readProject(ctx: Context, id: string) {
  const db = await database()
  const record = await readRecord(db, projects, ctx, id)
  const [customer, extras, entries] = await Promise.all([
    readLinked(customers, ctx, record, 'customerId'),
    projectExtras(db, ctx.actor.contractorId, id),
    execute(listEntries, ctx, { projectId: id }),
  ])
  return {
    record: recordSchema(projects).parse(record),
    customer: recordSchema(customers).parse(customer),
    lead: Extras.parse(JSON.parse(extras ?? '{"lead":null}')).lead,
    entries,
  }
}

/** Returns a project: its money, what was billed and paid of it, and where it came from. */
export const viewProject = defineOperation({
  name: 'view_project',
  title: 'A project',
  description:
    'A project with its customer, money (contract, billed, received, left to bill, and what is left after its materials), invoices, payments, estimates, lead, notes and follow-ups.',
  access: ACCESS,
  effect: 'read',
  input: IdInput,
  output: z.object({
    record: recordSchema(projects),
    customer: recordSchema(customers),
    money: financials.omit({ project: true, invoices: true, more: true }).extend({
      billed: Sum.describe('Invoices dated up to today, in the contractor’s currency'),
      scheduled: Sum.describe('Invoices dated ahead'),
      leftToBill: Sum.describe('Contract sum - billed, as get_unbilled_work has it; below zero where more was billed'),
    }),
    materials: Materials.nullable(),
    contractLessMaterials: ContractLessMaterials,
    invoices: besideSchema(invoices),
    payments: besideSchema(payments),
    estimates: besideSchema(estimates),
    lead: Lead,
    entries: Entries,
  }),
  example: {
    record: { ...projects.example, unpaid: 2380.3, overdue: 2380.3 },
    customer: { ...customers.example, unpaid: 2380.3, overdue: 2380.3 },
    money: { ...MONEY, billed: 7380.3, scheduled: 0, leftToBill: 11070.45 },
    materials: null,
    contractLessMaterials: contractLessMaterials(18450.75, null),
    invoices: NOTHING,
    payments: NOTHING,
    estimates: NOTHING,
    lead: null,
    entries: { notes: [], followUps: [] },
  },
  run: async (ctx, { id: projectId }) => {
    const { contractorId } = ctx.actor
    const db = await database()
    const project = await readProject(ctx, projectId)
    const { today } = await contractorDays(db, contractorId, ctx.now)
    const [{ project: named, invoices: _lines, more: _more, ...money }, billed, materials, listed, paid, quoted] =
      await Promise.all([
        execute(getProjectFinancials, ctx, { projectId }),
        billedOf(db, { contractorId, projectId, today }),
        listedCost(ctx, projectId),
        readBeside(invoices, ctx, { projectId }),
        readBeside(payments, ctx, { projectId }),
        readBeside(estimates, ctx, { projectId }),
      ])
    return {
      ...project,
      money: { ...money, ...billed },
      materials,
      contractLessMaterials: contractLessMaterials(named.totalAmount, materials),
      invoices: listed,
      payments: paid,
      estimates: quoted,
    }
  },
})

/** Returns a lead: who wrote and what, whom it was matched to, and what became of it. */
export const viewLead = defineOperation({
  name: 'view_lead',
  title: 'A lead',
  description:
    'A lead by the id of its project: who wrote, what and through which source, the customer it was matched to and how, the project it became, estimates, notes and follow-ups.',
  access: ['read:projects', 'read:customers', 'read:estimates'],
  effect: 'read',
  input: IdInput,
  output: z.object({
    project: recordSchema(projects),
    customer: recordSchema(customers),
    lead: Lead,
    estimates: besideSchema(estimates),
    entries: Entries,
  }),
  example: {
    project: { ...projects.example, unpaid: 0, overdue: 0 },
    customer: { ...customers.example, unpaid: 0, overdue: 0 },
    lead: { source: 'Google Ads', category: 'search_ads', receivedAt: '2026-07-20T14:12:09.481Z', ...LEAD_PERSON },
    estimates: NOTHING,
    entries: { notes: [], followUps: [] },
  },
  run: async (ctx, { id }) => {
    const [{ record, ...found }, quoted] = await Promise.all([
      readProject(ctx, id),
      readBeside(estimates, ctx, { projectId: id }),
    ])
    return { project: record, ...found, estimates: quoted }
  },
})
