import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import type { KeyActor } from '@/lib/auth/actor'
import { authenticateKey } from '@/lib/auth/authenticate'
import { SCOPES } from '@/lib/auth/scopes'
import { env } from '@/lib/core/env'
import { callTool } from '@/lib/mcp/call-tool'
import { tools } from '@/lib/mcp/tools'
import { openPeopleDatabase } from '@/lib/testing/people'
import { prepareDemo } from './demo'
import type { DemoFile } from './demo-file'

const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-demo-test-'))
let db: Database
let demo: DemoFile
let actor: KeyActor

beforeAll(async () => {
  db = await openPeopleDatabase()
  demo = await prepareDemo({ ...env(), dataDir })
  const assistant = await authenticateKey(demo.contractors[0]?.keys.assistant)
  // The scope to send leads as well, so that the key may call every tool.
  actor = { ...assistant, scopes: new Set(SCOPES) }
}, 240_000)
afterAll(async () => {
  await db.close()
  rmSync(dataDir, { recursive: true })
})

/** Reports whether an answer has something in it: a list that is not empty, or facts where it has no list. */
function saysSomething(answer: Record<string, unknown>): boolean {
  const lists = Object.entries(answer).filter(([name, value]) => Array.isArray(value) && !SIDE.includes(name))
  if (lists.length > 0) return lists.some(([, value]) => Array.isArray(value) && value.length > 0)
  return Object.values(answer).some((value) => value !== null && value !== '')
}
/** Lists beside an answer: what was left out, corrected or cited. */
const SIDE = ['otherCurrencies', 'corrections', 'withheld', 'notes', 'sources']

test.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s: the example of the catalog finds an answer in the demonstration',
  async (_, tool) => {
    const { structuredContent, isError, content } = await callTool(tool, actor, tool.example)
    expect(isError, content[0]?.text).toBeUndefined()
    expect(saysSomething(structuredContent ?? {}), content[0]?.text).toBe(true)
  },
)

const count = async (what: ReturnType<typeof sql>) =>
  (await rows<{ n: number }>(db.orm, sql`select count(*)::int as n from ${what}`))[0]?.n ?? 0
test('leads came through every sender’s form, some became jobs, one was refused and is kept', async () => {
  const of = sql`from leads l join projects p on p.id = l.project_id where l.contractor_id = ${actor.contractorId}`
  const select = async (column: string) =>
    (await rows<{ word: string }>(db.orm, sql`select distinct ${sql.raw(column)} as word ${of}`)).map(
      ({ word }) => word,
    )
  expect((await select('l.source')).sort()).toEqual(['angi', 'google-ads', 'inbound', 'thumbtack', 'zapier'])
  expect(await select('p.status')).toEqual(
    expect.arrayContaining(['lead', 'estimate', 'scheduled', 'in_progress', 'completed', 'cancelled']),
  )
  expect(await count(sql`lead_deliveries where outcome = 'refused' and contractor_id = ${actor.contractorId}`)).toBe(1)
  // Last month, whatever day it is.
  const month = sql`date_trunc('month', now())`
  expect(
    await count(sql`leads where contractor_id = ${actor.contractorId} and source_category = 'search_ads'
      and received_at >= ${month} - interval '1 month' and received_at < ${month}`),
  ).toBeGreaterThanOrEqual(3)
})

test('there are estimates in every state, jobs that start soon, jobs done, notes, follow-ups and costs', async () => {
  const mine = sql`contractor_id = ${actor.contractorId}`
  const found = await rows<{ status: string }>(db.orm, sql`select distinct status from estimates where ${mine}`)
  expect(found.map(({ status }) => status).sort()).toEqual(['accepted', 'declined', 'draft', 'expired', 'sent'])
  const soon = sql`start_date between current_date and current_date + 14`
  expect(await count(sql`projects where ${mine} and status = 'scheduled' and ${soon}`)).toBeGreaterThanOrEqual(3)
  const done = sql`end_date > current_date - 300`
  expect(await count(sql`projects where ${mine} and status = 'completed' and ${done}`)).toBeGreaterThanOrEqual(20)
  expect(await count(sql`project_entries where ${mine} and kind = 'note'`)).toBeGreaterThanOrEqual(2)
  expect(await count(sql`project_entries where ${mine} and follow_up_on >= current_date - 1`)).toBeGreaterThanOrEqual(5)
  expect(await count(sql`project_materials where ${mine}`)).toBeGreaterThanOrEqual(100)
  const shelf = sql`owner = ${actor.contractorId} and type = 'document'`
  expect(
    await count(sql`documents d join search_shelves s on s.id = d.shelf_id where ${shelf}`),
  ).toBeGreaterThanOrEqual(5)
})

test('a second start keeps everything as it is', async () => {
  const state = () =>
    Promise.all(
      ['projects', 'leads', 'lead_deliveries', 'project_entries', 'documents', 'api_keys'].map((table) =>
        count(sql`${sql.identifier(table)}`),
      ),
    )
  const before = await state()
  expect(await prepareDemo({ ...env(), dataDir })).toEqual(demo)
  expect(await state()).toEqual(before)
})
