import * as z from 'zod'
import { database } from '@/db/client'
import { getItem } from '@/db/queries/list'
import { listNewest } from '@/db/queries/neighbours'
import { projectExtras } from '@/db/queries/reports/project-extras'
import { LEAD_CATEGORIES } from '@/lib/leads/category'
import { Instant } from '@/lib/resources/fields'
import { resources } from '@/lib/resources/registry'
import { absent } from '../absent'
import { type Context, defineOperation, scopesOf } from '../define'
import { listEntries } from '../entries/list-entries'
import { execute } from '../execute'
import { LEAD_PERSON, LeadPerson } from '../lead-person'
import { listedCost } from '../materials/listed-cost'
import { analyzeProjectPermits } from '../permits/analyze-project-permits'
import { RequirementOut } from '../permits/rule-fields'
import { requireMeant, resourceOfId } from '../search/meant'
import { ContractLessMaterials, contractLessMaterials, Materials } from './contract-less-materials'
import { Count, Day } from './fields'
import { getProjectFinancials } from './project-financials'

const { customers, projects, payments, estimates } = resources

/** The newest estimates, payments and notes that are told one by one. */
const MOST = 10

const { output } = getProjectFinancials

const Permits = z.object({
  place: z.string().nullable().describe('The jurisdiction whose rules were applied; null when its rules are not known'),
  work: z
    .array(RequirementOut.pick({ workType: true, determination: true }))
    .describe('By words of the project; facts, sources and days are in analyze_project_permits'),
})

const Overview = z.object({
  ...output.pick({ project: true }).shape,
  facts: z.object({
    jobNumber: z.int().nullable(),
    startDate: Day.nullable(),
    endDate: Day.nullable(),
    address: z.string().nullable(),
    description: z.string().nullable(),
  }),
  customer: customers.output,
  lead: z
    .object({ source: z.string(), category: z.enum(LEAD_CATEGORIES), receivedAt: Instant, ...LeadPerson.shape })
    .nullable()
    .describe(
      'Where it came from and who wrote, as sent; null when it came by no lead. Reply to this person, not to the customer',
    ),
  money: output.omit({ project: true, invoices: true, counts: true, more: true }),
  invoices: output.shape.invoices,
  moreInvoices: Count,
  payments: z.array(payments.output.pick({ id: true, amount: true, currency: true, date: true, method: true })),
  morePayments: Count,
  estimates: z
    .array(estimates.output.pick({ id: true, number: true, amount: true, date: true, status: true }))
    .nullable()
    .describe(`Null when the key lacks ${estimates.scope}`),
  materials: Materials.nullable().describe('Null when none are listed'),
  contractLessMaterials: ContractLessMaterials,
  permits: Permits.nullable().describe('Null when the key lacks read:permits'),
  notes: z.array(z.object({ noteText: z.string(), author: z.string(), createdAt: Instant })),
  followUp: z.object({ date: Day, noteText: z.string().nullable(), author: z.string() }).nullable(),
})

const Extras = Overview.pick({ facts: true, lead: true })

const PERMITS = scopesOf(analyzeProjectPermits)

/** Returns whether the work of a project likely needs permits, as far as its words and its address tell. */
async function permitsOf(ctx: Context, projectId: string): Promise<z.output<typeof Permits> | null> {
  if (!PERMITS.every((scope) => ctx.actor.scopes.has(scope))) return null
  const { jurisdiction, requirements } = await execute(analyzeProjectPermits, ctx, { projectId })
  return {
    place: jurisdiction.id === null ? null : jurisdiction.jurisdictionName,
    work: requirements.map(({ workType, determination }) => ({ workType, determination })),
  }
}

/** The newest notes and the follow-up on a project, without those that were undone. */
async function writtenOn(
  ctx: Context,
  projectId: string,
): Promise<Pick<z.output<typeof Overview>, 'notes' | 'followUp'>> {
  const { notes, followUps } = await execute(listEntries, ctx, { projectId })
  const standing = followUps.find(({ inForce }) => inForce)
  return {
    notes: notes
      .filter(({ inForce, text }) => inForce && text !== null)
      .slice(0, MOST)
      .map(({ text, authorName, createdAt }) => ({
        noteText: text ?? '',
        author: authorName,
        createdAt: createdAt.toISOString(),
      })),
    followUp: standing?.followUpOn
      ? { date: standing.followUpOn, noteText: standing.text, author: standing.authorName }
      : null,
  }
}

const LISTED = { items: 12, unpriced: 0, cost: 6120.4, pricesFrom: '2026-09-14', pricesTo: '2026-11-02' }

/** Reports everything about one project. */
export const getProjectOverview = defineOperation({
  name: 'get_project_overview',
  title: 'Project overview',
  description:
    'All about one project: status, customer and contact, lead, estimates, invoices with what is unpaid, payments, materials, the contract less their cost, permits, notes.',
  access: ['read:projects', 'read:customers', 'read:invoices', 'read:payments'],
  effect: 'read',
  input: z
    .object({
      project: z.string().trim().min(1).max(200).describe('Its id, job number or name, or the customer’s name'),
    })
    .strict(),
  output: Overview,
  example: {
    project: getProjectFinancials.example.project,
    facts: {
      jobNumber: 107,
      startDate: '2026-10-05',
      endDate: null,
      address: '1204 Oak Street, Nashville, TN, 37206',
      description: null,
    },
    customer: customers.example,
    lead: {
      source: 'Google Ads',
      category: 'search_ads',
      receivedAt: '2026-07-20T14:12:09.481Z',
      ...LEAD_PERSON,
    },
    money: Overview.shape.money.parse(getProjectFinancials.example),
    invoices: getProjectFinancials.example.invoices,
    moreInvoices: 0,
    payments: [
      { id: payments.example.id, amount: 5000, currency: 'USD', date: '2026-11-02T00:00:00.000Z', method: 'check' },
    ],
    morePayments: 0,
    estimates: [
      {
        id: estimates.example.id,
        number: 'E-26-0107',
        amount: 18450.75,
        date: '2026-07-28T00:00:00.000Z',
        status: 'accepted',
      },
    ],
    materials: LISTED,
    contractLessMaterials: contractLessMaterials(18450.75, LISTED),
    permits: { place: 'Nashville–Davidson County', work: [{ workType: 'reroof', determination: 'likely_required' }] },
    notes: [
      {
        noteText: 'Customer prefers calls after 4 pm.',
        author: 'Office assistant',
        createdAt: '2026-11-20T15:04:05.120Z',
      },
    ],
    followUp: null,
  },
  tool: {
    category: 'projects',
    example: { project: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr' },
    untrusted: ['name', 'customerName', 'email', 'address', 'description', 'source', 'message', 'noteText', 'author'],
  },
  run: async (ctx, { project: text }) => {
    const { actor, now } = ctx
    const db = await database()
    const { contractorId } = actor
    const meant = { field: 'project', of: projects }
    const projectId = resourceOfId(text) === projects ? text : (await requireMeant(ctx, text, meant)).id
    const newest = { contractorId, of: 'project_id', id: projectId, limit: MOST }
    const estimatesAllowed = actor.scopes.has(estimates.scope)
    const [{ project, invoices, more, counts: _, ...money }, extras, paid, estimated, materials, permits, written] =
      await Promise.all([
        execute(getProjectFinancials, { actor, now }, { projectId }),
        projectExtras(db, contractorId, projectId),
        listNewest(db, payments.source, { ...newest, by: payments.dated.name }),
        estimatesAllowed ? listNewest(db, estimates.source, { ...newest, by: estimates.dated.name }) : undefined,
        listedCost(ctx, projectId),
        permitsOf({ actor, now }, projectId),
        writtenOn({ actor, now }, projectId),
      ])
    const customer = await getItem(db, customers.source, { contractorId, id: project.customerId })
    if (extras === undefined || customer === undefined)
      throw await absent(db, projects, { contractorId, id: projectId }, 'list_projects')
    const { facts, lead } = Extras.parse(JSON.parse(extras))
    return {
      project,
      facts,
      customer: customers.output.parse(JSON.parse(customer)),
      lead,
      money,
      invoices,
      moreInvoices: more,
      payments: Overview.shape.payments.parse(JSON.parse(paid.items)),
      morePayments: paid.more,
      estimates: estimated ? Overview.shape.estimates.parse(JSON.parse(estimated.items)) : null,
      materials,
      contractLessMaterials: contractLessMaterials(project.totalAmount, materials),
      permits,
      ...written,
    }
  },
})
