import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { PRESETS, SCOPES } from '@/lib/auth/scopes'
import { RESOURCES } from '@/lib/resources/registry'
import { makeMember, openPeopleDatabase } from '@/lib/testing/people'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { aroundQueries } from '@/patches/drizzle-statements'
import type { AnyOperation } from './define'
import { execute } from './execute'
import { operations } from './registry'

/** The texts of the statements that the service runs while `isNoting`. */
const texts = new Set<string>()
let isNoting = false

/** Notes the statements of a database, those through Drizzle and the others. */
function noteStatements(db: Database): Database {
  aroundQueries(new WeakSet(), (text, run) => {
    if (isNoting) texts.add(text)
    return run()
  })
  const { run } = db
  const noting: Database['run'] = (statement, values) => {
    if (isNoting) texts.add(statement.text)
    return run(statement, values)
  }
  return Object.assign(db, { run: noting })
}

let db: Database
beforeAll(async () => {
  db = noteStatements(await openPeopleDatabase())
})
afterAll(() => db.close())

/** Tables that name the contractor by another column. */
const OWNERS: Record<string, RegExp> = {
  contractors: /\b(?:id|slug)"? = (?:\$\d|\w+\.contractor_id)/,
  search_shelves: /\bowner\b/,
  search_queue: /\bowner\b/,
}
/** What concerns all contractors: what waits in the service, for its operator; and whether an id is free, as ids are unique among all. */
const OF_ALL =
  /^select \(select count\(\*\)::int from \(select from search_queue limit|^select w\.i, f\.ms::float8 as ms\s+from jsonb_to_recordset/

/** Returns the statements that read or write a contractor's rows without saying whose. */
async function unnamed(): Promise<string[]> {
  const fenced = await rows<{ name: string }>(
    db.orm,
    sql`select c.relname as name from pg_policy p join pg_class c on c.oid = p.polrelid where p.polname = 'one_contractor'`,
  )
  expect(fenced.length).toBeGreaterThan(40)
  const places = new RegExp(`\\b(?:from|join|update|into)\\s+"?(${fenced.map(({ name }) => name).join('|')})\\b`, 'gi')
  return [...texts].filter((text) => {
    const tables = [...text.matchAll(places)].map(([, table = '']) => table)
    return tables.some((table) => !(OWNERS[table] ?? /contractor_id/).test(text)) && !OF_ALL.test(text)
  })
}

type Ids = Record<string, string>

/** Asks for the lists and records of every resource. Returns an id of each. */
async function readResources(key: string): Promise<Ids> {
  const ids: Ids = {}
  for (const { name } of RESOURCES) {
    const { body } = await call(`/api/v1/${name}?limit=1&include=details`, { key })
    const { id } = body.items[0]
    for (const path of [
      `${name}/${id}`,
      `${name}?pageToken=${body.nextPageToken}`,
      `${name}?updatedAfter=2020-01-01T00:00:00Z`,
    ])
      await call(`/api/v1/${path}`, { key })
    ids[name.replace(/s$/, '')] = id
  }
  await call('/api/v1/changes', { key })
  return ids
}

async function postLead(key: string): Promise<string> {
  const body = JSON.stringify({ firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142', leadSource: 'Referral' })
  const headers = { 'content-type': 'application/json' }
  const { body: answer } = await call('/api/webhooks/leads/inbound', { key, method: 'POST', headers, body })
  return answer.projectId
}

/** The input of an operation: its example, with ids that are there. */
function inputOf({ name, tool, input }: AnyOperation, ids: Ids): object {
  const kind = /^(?:get|view)_(\w+)$/.exec(name)?.[1] ?? ''
  const known = Object.entries({ id: ids[kind], projectId: ids.project, customerId: ids.customer })
  return { ...tool?.example, ...Object.fromEntries(known.filter(([field, id]) => id && field in input.shape)) }
}

test('every statement on rows of contractors says whose they are, so that tables can be divided by contractor', async () => {
  const tenant = await makeTenant(db)
  const [{ text: key }, { text: leadKey }] = [await tenant.key(SCOPES), await tenant.key(PRESETS.agent.scopes)]
  const actor = await makeMember(db, tenant.contractor.id)
  isNoting = true
  await tenant.load(sampleBooks(3))
  const ids = await readResources(key)
  ids.lead = await postLead(leadKey)
  let answered = 0
  for (const operation of Object.values<AnyOperation>(operations)) {
    if (operation.effect !== 'read' || operation.access === 'operator') continue
    const read = () => ({ values: inputOf(operation, ids), whole: 'input' as const })
    await execute(operation, { actor, now: new Date() }, read, 'text').then(
      () => answered++,
      () => {},
    )
  }
  isNoting = false
  // Those that are refused want an id of something that is not there, or stream.
  expect(answered).toBeGreaterThan(50)
  expect(texts.size).toBeGreaterThan(150)
  expect(await unnamed()).toEqual([])
})
