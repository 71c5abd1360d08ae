import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { SCOPES } from '@/lib/auth/scopes'
import { execute } from '@/lib/operations/execute'
import { operations } from '@/lib/operations/registry'
import { actorOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { findTool } from './call-tool'
import { prompts, renderPrompt } from './prompts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const DAY_MS = 86_400_000

/** Books that were loaded today, and leads that came in four and one days ago. */
async function office() {
  const { contractor, load } = await makeTenant(db)
  expect((await load(sampleBooks(3))).faults).toEqual([])
  const actor = actorOf(contractor, SCOPES)
  const now = new Date()
  const lead = async (name: string, daysAgo: number, more: object = {}) => {
    const { projectId } = await execute(
      operations.createLead,
      { actor, now: new Date(now.getTime() - daysAgo * DAY_MS) },
      { firstName: name, lastName: 'Lopez', email: `${name}@example.com`, ...more },
    )
    return projectId
  }
  return { actor, now, lead, contractorId: contractor.id }
}

/** The calls that a prompt spells out, as a client would send them. */
const callsIn = (text: string) =>
  [...text.matchAll(/Call `(\w+)` with `(\{.*?\})`/g)].map(([, tool = '', args = '']) => ({
    tool,
    args: JSON.parse(args),
  }))

async function run({ actor, now }: Awaited<ReturnType<typeof office>>, tool: string, args: Record<string, unknown>) {
  const found = findTool(tool)
  if (!found) throw new Error(`no tool ${tool}`)
  const { text } = await execute(found.operation, { actor, now }, () => ({ values: args, whole: 'arguments' }), 'text')
  return JSON.parse(text)
}

test('each call that a prompt spells out is one that its tool takes', async () => {
  const books = await office()
  const projectId = await books.lead('ana', 4)
  const args: Record<string, Record<string, string>> = { project_close_out: { projectId } }
  for (const { name } of prompts) {
    const text = renderPrompt(name, args[name] ?? {}, books.now)[0]?.content.text ?? ''
    const calls = callsIn(text)
    expect(calls.length, name).toBeGreaterThan(2)
    expect(calls, name).toHaveLength(text.split(/Call `\w+` with `\{/).length - 1)
    for (const { tool, args } of calls) await expect(run(books, tool, args), `${name}: ${tool}`).resolves.toBeDefined()
  }
})

test('lead_follow_up finds the leads that wait, by when they came in, on books that were loaded today', async () => {
  const books = await office()
  await books.lead('ana', 4, { phone: '615-555-0142', notes: 'Roof leaks' })
  await books.lead('bo', 1)
  const later = await books.lead('cy', 9)
  await rows(db.orm, sql`update projects set updated_at = now() where contractor_id = ${books.contractorId}`)
  const date = new Date(books.now.getTime() + 5 * DAY_MS).toISOString().slice(0, 10)
  await run(books, 'set_lead_follow_up', { projectId: later, date, idempotencyKey: 'follow-up-1' })
  const [first] = callsIn(renderPrompt('lead_follow_up', {}, books.now)[0]?.content.text ?? '')
  const { items } = await run(books, first?.tool ?? '', first?.args)
  expect(items).toMatchObject([
    { leadName: 'ana Lopez', phone: '+16155550142', message: 'Roof leaks' },
    { leadName: 'cy Lopez', followUp: date },
  ])
  expect(items[0]).not.toHaveProperty('followUp')
})
