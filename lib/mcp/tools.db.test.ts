import { randomUUID } from 'node:crypto'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { putDocuments, type SourceDocument } from '@/db/queries/documents'
import type { Actor } from '@/lib/auth/actor'
import { SCOPES } from '@/lib/auth/scopes'
import { cleanAnswer } from '@/lib/core/clean'
import { identifierOf } from '@/lib/core/resource-names'
import { dayOf } from '@/lib/core/time'
import { execute } from '@/lib/operations/execute'
import { listOperation } from '@/lib/operations/lists'
import { agent } from '@/lib/operations/records'
import { operations } from '@/lib/operations/registry'
import { ProjectStatus } from '@/lib/resources/projects'
import { RESOURCES } from '@/lib/resources/registry'
import { actorOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { csvOf, loadPermitText } from '@/lib/testing/permits'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { MOST_CHARACTERS, shorten } from './call-tool'
import { withNextPage } from './pages'
import { tools } from './tools'

const NOW = new Date()
/** The right-to-left override: allowed in a name, and a classic way to disguise text. */
const BIDI = '\u202e'

type Tenant = { actor: Actor; projectId: string; customerId: string; leadId: string }

let db: Database
let mine: Tenant
let theirs: Tenant
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
  mine = await tenantWithBooks({ ...hostileBooks(), ...priceBook(BIDI) })
  theirs = await tenantWithBooks({ ...sampleBooks(3, 'do-not-leak'), ...priceBook('do-not-leak') }, 'do-not-leak')
  expect((await loadPermitText(db, permitHistory(), { jurisdiction: 'us-xx-town' })).faults).toEqual([])
})
afterAll(() => db.close())

/** Returns more than one page of records, with the override in every name and reference. */
const hostileBooks = () =>
  Object.fromEntries(
    Object.entries(sampleBooks(30)).map(([file, text]) => [
      file,
      text.replace(/(?<=,)(?=Customer \d|Project \d|ref-)/g, BIDI),
    ]),
  )

/** Thirty kinds of nails and the shingles of a roof. */
const priceBook = (mark: string) => ({
  'materials.csv': [
    'Item,Name,Trade,Unit,Unit Cost,Supplier,Date',
    ...Array.from(
      { length: 30 },
      (_, i) => `nails-${i},Nails ${i}${mark},roofing,box,${i + 1}.50,Supplier${mark},2024-01-05`,
    ),
    `shingle-architectural,Shingles${mark},roofing,bundle,38.50,Supplier${mark},2024-01-05`,
  ].join('\n'),
})

/** Sixty long permits: public data, the same for every contractor. */
const permitHistory = () =>
  csvOf(
    Array.from({ length: 60 }, (_, i) => ({
      PermitNum: `P-${i}`,
      AppliedDate: '2026-01-05',
      IssuedDate: `2026-01-${10 + (i % 20)}`,
      Description: `${BIDI}${'Replace the roof. '.repeat(100)}`,
      OriginalAddress1: `${i} ${BIDI}${'LONG '.repeat(50)}RD`,
      PermitType: 'Roof',
      ContractorCompanyName: `Builders${BIDI} ${'and Sons '.repeat(30)}`,
      Link: `https://example.com/${'x'.repeat(900)}`,
    })),
  )
/** Thirty documents about flashing. */
const notes = (mark: string): SourceDocument[] =>
  Array.from({ length: 30 }, (_, i) => ({
    type: 'document',
    reference: `note-${i}`,
    title: `Note ${i}${mark}`,
    link: null,
    untrusted: true,
    chunks: [{ heading: mark, text: `Flashing at the ridge ${mark} `.repeat(200) }],
  }))

async function tenantWithBooks(books: Record<string, string>, mark = BIDI): Promise<Tenant> {
  const { contractor, load } = await makeTenant(db)
  expect((await load(books)).faults).toEqual([])
  // Something of each contract is left to bill.
  await db.orm.execute(sql`update projects set total_amount = 1000000 where contractor_id = ${contractor.id}`)
  const actor = actorOf(contractor, SCOPES)
  const { items } = await execute(operations.listProjects, { actor, now: NOW }, { limit: 1 })
  const { id, customerId } = Object(items[0])
  const lead = { firstName: 'Ana', lastName: `Lopez${mark}`, email: 'ana@example.com', leadSource: `Expo${mark}` }
  const { projectId: leadId } = await execute(operations.createLead, { actor, now: NOW }, lead)
  await putDocuments(db.orm, contractor.id, notes(mark))
  return { actor, projectId: id, customerId, leadId }
}

type Call = (ctx: { actor: Actor; now: Date }, ids: Tenant) => Promise<Record<string, unknown>>

const ROOF = { kind: 'roofing', length: 40, width: 30, rise: 6 } as const

/** The largest answer of each tool. Whoever adds a tool adds a call here. */
const CALLS: Record<string, Call> = {
  ...Object.fromEntries(
    RESOURCES.map((resource): [string, Call] => [
      `list_${identifierOf(resource.name)}`,
      (ctx) => execute(listOperation(resource, agent), ctx, { limit: 25 }),
    ]),
  ),
  list_leads: (ctx) => execute(operations.listLeads, ctx, { limit: 25 }),
  get_project_overview: (ctx, { projectId }) => execute(operations.getProjectOverview, ctx, { project: projectId }),
  get_revenue_summary: (ctx) =>
    execute(operations.getRevenueSummary, ctx, { by: 'customer', from: '2024-01-01', limit: 25 }),
  get_unbilled_work: (ctx) =>
    execute(operations.getUnbilledWork, ctx, { status: [...ProjectStatus.options], limit: 25 }),
  get_recent_activity: (ctx) => execute(operations.getRecentActivity, ctx, { limit: 25 }),
  get_contractor: (ctx) => execute(operations.getContractor, ctx, {}),
  get_record: (ctx, { projectId }) => execute(operations.getRecord, ctx, { id: projectId }),
  create_lead: (ctx) =>
    execute(operations.createLead, ctx, { firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142' }),
  add_project_note: (ctx, { projectId }) =>
    execute(operations.addProjectNote, ctx, { projectId, text: 'x'.repeat(2_000), idempotencyKey: randomUUID() }),
  set_lead_follow_up: (ctx, { leadId: projectId }) =>
    execute(operations.setLeadFollowUp, ctx, { projectId, date: dayOf(NOW), text: 'x', idempotencyKey: randomUUID() }),
  get_project_financials: (ctx, { projectId }) => execute(operations.getProjectFinancials, ctx, { projectId }),
  get_receivables_aging: (ctx) => execute(operations.getReceivablesAging, ctx, { limit: 25 }),
  get_cash_flow: (ctx) => execute(operations.getCashFlow, ctx, { from: '2024-10-01', by: 'week' }),
  get_lead_performance: (ctx) => execute(operations.getLeadPerformance, ctx, { by: 'source' }),
  estimate_takeoff: (ctx) => execute(operations.estimateTakeoff, ctx, { assemblies: Array(20).fill(ROOF) }),
  search_materials: (ctx) => execute(operations.searchMaterials, ctx, { query: 'nails', limit: 25 }),
  price_project: (ctx) =>
    execute(operations.priceProject, ctx, {
      assemblies: [ROOF],
      lines: Array.from({ length: 100 }, (_, i) => ({ item: `nails-${i}`, quantity: 2 })),
    }),
  search_permits: (ctx) => execute(operations.searchPermits, ctx, { contractor: 'builders', limit: 25 }),
  get_permit_coverage: (ctx) => execute(operations.getPermitCoverage, ctx, {}),
  estimate_permit_timeline: (ctx) => execute(operations.estimatePermitTimeline, ctx, { jurisdiction: 'us-xx-town' }),
  check_permit_requirements: (ctx) =>
    execute(operations.checkPermitRequirements, ctx, {
      jurisdiction: 'us-tn-springfield',
      workTypes: ['deck', 'fence', 'pool', 'accessory_structure', 'interior_remodel', 'reroof'],
    }),
  analyze_project_permits: (ctx, { projectId }) =>
    execute(operations.analyzeProjectPermits, ctx, { projectId, jurisdiction: 'us-tn-springfield' }),
  'rag.search': (ctx) => execute(operations.ragSearch, ctx, { query: 'flashing of ridges', topK: 25 }),
  read_document: async (ctx) => {
    const { hits } = await execute(operations.ragSearch, ctx, { query: 'flashing of ridges', topK: 25 })
    return execute(operations.readDocument, ctx, { id: hits[0]?.id ?? '' })
  },
  search: (ctx) => execute(operations.search, ctx, { query: 'customer' }),
  fetch: (ctx, { projectId }) => execute(operations.fetch, ctx, { id: projectId }),
  find_records: (ctx) => execute(operations.findRecords, ctx, { query: 'customer', limit: 25 }),
}

test('every tool is called here', () => {
  expect(Object.keys(CALLS).sort()).toEqual(tools.map(({ name }) => name).sort())
})

const each = tools.map((tool) => [tool.name, tool] as const)
const answerOf = (name: string) => {
  const call = CALLS[name]
  if (!call) throw new Error(`${name} is not called here`)
  return call({ actor: mine.actor, now: NOW }, mine)
}

test.each(each)('%s: its answer is what the schema sent to clients says, clean and cut too', async (name, tool) => {
  const valid = new AjvJsonSchemaValidator().getValidator(tool.outputSchema)
  const answered = await answerOf(name)
  const { pages } = tool
  const raw = pages === undefined ? answered : JSON.parse(withNextPage(JSON.stringify(answered), pages, 0))
  // Otherwise there would be nothing to clean.
  expect(JSON.stringify(raw).includes(BIDI)).toBe(tool.untrusted.length > 0)
  const clean = cleanAnswer(raw)
  const { answer, text } = shorten(clean)
  expect(valid(answer).errorMessage).toBeUndefined()
  expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS)
  expect(text).not.toContain(BIDI)
  expect(valid(shorten(clean, 600).answer).errorMessage).toBeUndefined()
})

test.each(each)('%s: another contractor’s canary never leaves', async (name) => {
  const text = JSON.stringify(await answerOf(name))
  for (const canary of ['do-not-leak', theirs.actor.contractorId, theirs.projectId, theirs.customerId])
    expect(text).not.toContain(canary)
})

test.each(each.filter(([, { scopes }]) => scopes.length > 0))(
  '%s: forbidden without any of its scopes',
  async (name, tool) => {
    for (const missing of tool.scopes) {
      const actor = actorOf(
        { id: mine.actor.contractorId },
        SCOPES.filter((scope) => scope !== missing),
      )
      await expect(CALLS[name]?.({ actor, now: NOW }, mine)).rejects.toMatchObject({ code: 'forbidden' })
    }
  },
)
