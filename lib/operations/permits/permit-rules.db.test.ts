import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { callTool, requireTool } from '@/lib/mcp/call-tool'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { analyzeProjectPermits } from './analyze-project-permits'
import { checkPermitRequirements } from './check-permit-requirements'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
  await history()
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T12:00:00Z')

/** Sixty roof permits of Portland, issued 1 to 60 days after they were applied for: by hand p50 is 30.5 and p90 54.5. */
async function history() {
  await db.orm.execute(sql`insert into permit_jurisdictions (id, name, state, permits, with_applied, with_issued, with_both, first_applied, last_applied)
    values ('us-or-portland', 'Portland', 'OR', 60, 60, 60, 60, '2026-09-01', '2026-09-01')`)
  await db.orm.execute(sql`insert into permits (id, jurisdiction_id, permit_num, permit_type, applied_date, issued_date)
    select 'pmt_' || i, 'us-or-portland', 'N' || i, 'Roof', date '2026-09-01', date '2026-09-01' + i from generate_series(1, 60) i`)
}

const projects = (mark = '') => `Project ID,Customer ID,Name,Status,Total Amount,City,State,Description,Start Date
P1,C1,"Re-roof, architectural shingle, 16 sq${mark}",scheduled,9000,Nashville,TN,Tear off one layer,12/14/2026
P2,C1,"Re-roof, 20 sq${mark}",scheduled,9000,Portland,OR,,12/14/2026
P3,C1,"Gutter replacement${mark}",scheduled,900,,,,
`

async function tenantWithProjects(mark = '') {
  const tenant = await makeTenant(db)
  const { faults } = await tenant.load({
    'customers.csv': `Customer ID,Name\nC1,Dana${mark}\n`,
    'projects.csv': projects(mark),
  })
  expect(faults).toEqual([])
  const found = await rows<{ id: string; reference: string }>(
    db.orm,
    sql`select id, source_reference as reference from projects where contractor_id = ${tenant.contractor.id}`,
  )
  const id = new Map(found.map((project) => [project.reference, project.id]))
  const actor = actorOf(tenant.contractor)
  const projectId = (reference: string) => id.get(reference) ?? ''
  const analyze = (reference: string, facts: Record<string, number | boolean> = {}, jurisdiction?: string) =>
    answerOf(analyzeProjectPermits, {
      actor,
      now: NOW,
      input: { projectId: projectId(reference), facts, jurisdiction },
    })
  return { ...tenant, actor, projectId, analyze }
}

test('check_permit_requirements: a fence in Nashville, by Metro’s own page, with its source', async () => {
  const { contractor } = await makeTenant(db)
  const input = {
    jurisdiction: 'Nashville',
    state: 'tn',
    workTypes: ['fence' as const],
    facts: { historicDistrict: false, heightFt: 6 },
  }
  const { answer } = await answerOf(checkPermitRequirements, { actor: actorOf(contractor), now: NOW, input })
  expect(answer).toMatchObject({
    jurisdiction: { id: 'us-tn-nashville', rules: 'own_and_model_code', edition: '2018 IRC' },
    requirements: [
      {
        determination: 'likely_not_required',
        decidedBy: {
          rule: 'nashville.fence.any',
          label: 'confirmed_in_source',
          checkedOn: '2026-11-21',
          source: { link: expect.stringContaining('nashville.gov') },
        },
      },
    ],
    checklist: [],
  })
})

test('check_permit_requirements: a city without a state is taken with a note, or asked back, never ruled by the model code in silence', async () => {
  const { contractor } = await makeTenant(db)
  const ask = async (jurisdiction: string) => {
    const input = { jurisdiction, workTypes: ['fence' as const], facts: { historicDistrict: false, heightFt: 6 } }
    return (await answerOf(checkPermitRequirements, { actor: actorOf(contractor), now: NOW, input })).answer
  }
  const { jurisdiction, requirements } = await ask('Nashville')
  expect(jurisdiction).toMatchObject({ id: 'us-tn-nashville', rules: 'own_and_model_code' })
  expect(jurisdiction.notes[0]).toContain('give the state where another is meant')
  expect(requirements[0]?.decidedBy?.rule).toBe('nashville.fence.any')
  expect((await ask('davidson county tn')).jurisdiction.id).toBe('us-tn-nashville')
  await expect(ask('Portland')).rejects.toMatchObject({ code: 'bad_request' })
})

test('check_permit_requirements: a city without rules here gets its state’s, and is told so', async () => {
  const { contractor } = await makeTenant(db)
  const input = {
    jurisdiction: 'Fresno',
    state: 'CA',
    workTypes: ['accessory_structure' as const],
    facts: { areaSqFt: 150, attached: false, stories: 1, stormShelter: false },
  }
  const { answer } = await answerOf(checkPermitRequirements, { actor: actorOf(contractor), now: NOW, input })
  expect(answer).toMatchObject({
    jurisdiction: { id: 'us-ca', rules: 'state_and_model_code' },
    requirements: [{ determination: 'likely_required', decidedBy: { rule: 'ca.accessory-structure.other' } }],
  })
  const elsewhere = { ...input, jurisdiction: undefined, state: undefined }
  const { answer: unplaced } = await answerOf(checkPermitRequirements, {
    actor: actorOf(contractor),
    now: NOW,
    input: elsewhere,
  })
  expect(unplaced.requirements).toMatchObject([
    { determination: 'ask_jurisdiction', decidedBy: { because: expect.stringMatching(/120 and 200/) } },
  ])
})

test('check_permit_requirements: work in the user’s words, with the words that told it; what is unknown stays so', async () => {
  const { contractor } = await makeTenant(db)
  const ask = async (input: { description?: string; workTypes?: 'deck'[] }) =>
    (await answerOf(checkPermitRequirements, { actor: actorOf(contractor), now: NOW, input })).answer
  expect(await ask({ description: 'Replace the main breaker panel, paint after' })).toMatchObject({
    recognized: [{ workType: 'electrical_service', matched: [{ field: 'description', word: 'main breaker panel' }] }],
    unknown: null,
    requirements: [{ workType: 'electrical_service' }],
  })
  const both = await ask({ description: 'new hot tub', workTypes: ['deck'] })
  expect(both.requirements.map(({ workType }) => workType)).toEqual(['deck', 'hot_tub'])
  expect(await ask({ description: 'pool table room' })).toMatchObject({
    recognized: [],
    unknown: expect.stringContaining('workTypes'),
    requirements: [],
  })
  await expect(ask({})).rejects.toMatchObject({ code: 'bad_request' })
})

test('check_permit_requirements: an unknown place gets the model code, and is told so; unknown facts are asked for', async () => {
  const { contractor } = await makeTenant(db)
  const input = {
    jurisdiction: 'us-zz-atlantis',
    workTypes: ['deck' as const],
    facts: { areaSqFt: 150, attached: false },
  }
  const { answer } = await answerOf(checkPermitRequirements, { actor: actorOf(contractor), now: NOW, input })
  expect(answer.jurisdiction).toMatchObject({ id: null, rules: 'model_code_only' })
  expect(answer.requirements).toMatchObject([
    {
      determination: 'more_facts_needed',
      decidedBy: null,
      couldBe: [{ rule: 'irc.deck.low', label: 'model_code_only' }, { rule: 'irc.deck.other' }],
      missing: [
        { fact: 'heightAboveGradeIn', type: 'number', unit: 'in' },
        { fact: 'servesExitDoor', type: 'yes_or_no', unit: null },
      ],
    },
  ])
})

test('analyze_project_permits: a re-roof in Nashville, no history loaded: required by the model code, time unknown', async () => {
  const { analyze } = await tenantWithProjects()
  expect((await analyze('P1')).answer.requirements).toMatchObject([{ determination: 'more_facts_needed' }])
  const { answer } = await analyze('P1', { repairOnly: false })
  expect(answer).toMatchObject({
    project: { projectCity: 'Nashville', state: 'TN', startDate: '2026-12-14' },
    jurisdiction: { id: 'us-tn-nashville', by: 'project_address', missing: [] },
    work: [{ workType: 'reroof', matched: expect.arrayContaining([{ field: 'description', word: 'tear off' }]) }],
    requirements: [{ determination: 'likely_required', decidedBy: { rule: 'irc.reroof.whole', edition: '2018 IRC' } }],
    timelines: [],
    schedule: { risk: 'unknown', daysToStart: 24, p50: null },
  })
})

test('analyze_project_permits: with history the days to the start are set against p50 and p90', async () => {
  const { analyze } = await tenantWithProjects()
  const { answer } = await analyze('P2', { deckingReplaced: true })
  expect(answer).toMatchObject({
    timelines: [{ permitType: 'Roof', status: 'estimated', n: 60, days: { p10: 6.5, p50: 30.5, p90: 54.5 } }],
    schedule: { risk: 'high', asOf: '2026-11-20', daysToStart: 24, p50: 30.5, p90: 54.5 },
  })
  expect((await analyze('P2', { repairOnly: true, structural: false, deckingReplaced: false })).answer).toMatchObject({
    requirements: [{ determination: 'likely_not_required' }],
    timelines: [],
    schedule: { risk: 'none' },
  })
})

test('analyze_project_permits: without address and known work it names what is missing', async () => {
  const { analyze } = await tenantWithProjects()
  expect((await analyze('P3')).answer).toMatchObject({
    jurisdiction: { id: null, missing: ['project.city', 'project.state'] },
    work: [],
    requirements: [],
    schedule: { risk: 'unknown', startDate: null },
  })
  expect((await analyze('P3', {}, 'us-or-portland')).answer.jurisdiction).toMatchObject({
    id: 'us-or-portland',
    by: 'argument',
  })
})

test('analyze_project_permits: another contractor’s project is not_found, and nothing of it leaves', async () => {
  const [a, b] = [await tenantWithProjects(), await tenantWithProjects(' do-not-leak')]
  const call = (projectId: string) =>
    answerOf(analyzeProjectPermits, { actor: a.actor, now: NOW, input: { projectId } })
  await expect(call(b.projectId('P1'))).rejects.toMatchObject({ code: 'not_found' })
  expect((await a.analyze('P1')).text).not.toContain('do-not-leak')
})

test('each tool’s example is a call that works; strange facts and kinds of work are refused', async () => {
  const { actor, projectId } = await tenantWithProjects()
  if (actor.kind !== 'key') throw new Error('tools are called with a key')
  const call = async (name: string, args: unknown) => callTool(requireTool(name), actor, args)
  const { example } = requireTool('check_permit_requirements')
  expect((await call('check_permit_requirements', example)).isError).toBeUndefined()
  const analysis = { ...requireTool('analyze_project_permits').example, projectId: projectId('P1') }
  expect((await call('analyze_project_permits', analysis)).isError).toBeUndefined()
  const refused = async (args: unknown) => JSON.stringify((await call('check_permit_requirements', args)).content)
  expect(await refused({ workTypes: ['moat'] })).toContain('workTypes')
  expect(await refused({ workTypes: ['fence'], facts: { heigthFt: 6 } })).toContain('heigthFt')
  expect(await refused({ workTypes: ['fence'], facts: { heightFt: 'six' } })).toContain('heightFt')
})
