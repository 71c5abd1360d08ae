import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { putDocuments } from '@/db/queries/documents'
import { indexQueued } from '@/db/queries/search-queue'
import type { Actor } from '@/lib/auth/actor'
import type { Scope } from '@/lib/auth/scopes'
import { openTestDatabase } from '@/lib/testing/database'
import { makeDocument } from '@/lib/testing/documents'
import { personActor } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { findRecords } from './find-records'
import { ragSearch } from './rag-search'

let db: Database
let actor: Actor
let other: Actor
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
  actor = await makeBooks()
  other = await makeBooks()
})
afterAll(() => db.close())

const FILES = {
  'customers.csv': [
    'Customer ID,Name,Email,Phone,Address,City,State,Zip',
    'c1,Dana Whitfield,dana.whitfield@example.com,(615) 555-0142,1204 Oak Street,Nashville,TN,37203',
    'c2,Mary Ann O’Brien,mary@example.com,(615) 555-0199,77 Elm Ave,Nashville,TN,37203',
    'c3,José Núñez,jose@example.com,(615) 555-0201,9 Main St,Franklin,TN,37064',
    'c4,Dana Okafor,okafor@example.com,(615) 555-0300,8 Pine Rd,Franklin,TN,37064',
    'c5,Harpeth Hills Baptist Church,office@harpeth.example,(615) 555-0400,1 Church Lane,Nashville,TN,37203',
  ].join('\n'),
  'projects.csv': [
    'Project ID,Customer ID,Name,Status',
    ...['Roof replacement', 'Gutters', 'Deck', 'Fence', 'Steeple roof'].map(
      (name, at) => `p${at + 1},c${at + 1},${name},in_progress`,
    ),
  ].join('\n'),
  'invoices.csv': [
    'Invoice Number,Project ID,Amount,Invoice Date,Due Date',
    'INV-2026-0042,p1,1250.00,2026-01-02,2026-02-01',
    'INV-2026-0420,p2,99.50,2026-01-03,2026-02-03',
    ...Array.from({ length: 60 }, (_, at) => `23-${String(at + 10).padStart(4, '0')}-1,p3,10,2026-01-04,2026-02-04`),
  ].join('\n'),
  'payments.csv': [
    'Payment ID,Project ID,Amount,Date,Method,Reference',
    'y1,p1,250.00,2026-01-20,check,CHK-5512',
    'y2,p2,50.00,2026-01-21,ach,ACH 91799579',
  ].join('\n'),
  'estimates.csv': [
    'Estimate Number,Customer ID,Amount,Date,Status',
    'EST-77,c2,5000,2026-01-05,sent',
    'E-26-0110-B,c2,1,2026-01-05,sent',
  ].join('\n'),
}

async function makeBooks(): Promise<Actor> {
  const { contractor, load, key } = await makeTenant(db)
  await load(FILES)
  const { text } = await key(['write:leads'])
  const body = JSON.stringify({ firstName: 'Priya', lastName: 'Raman', phone: '(615) 555-0777', notes: 'Roof leak' })
  const sent = await call('/api/webhooks/leads/inbound', {
    key: text,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(sent.status).toBe(201)
  return personActor({ id: 'psn_test', email: 'ana@example.com' }, contractor.id, 'developer')
}

const find = async (query: string, as = actor, limit = 10) =>
  (await execute(findRecords, { actor: as, now: new Date() }, { query, limit })).hits
const first = async (query: string) => {
  const [hit] = await find(query)
  return hit && [hit.type, hit.title]
}

test.each([
  ['Whitfield', 'customer', 'Dana Whitfield'],
  ['whitf', 'customer', 'Dana Whitfield'],
  ['Whitfield, Dana', 'customer', 'Dana Whitfield'],
  ['Witfield', 'customer', 'Dana Whitfield'],
  ['dana whitfeild', 'customer', 'Dana Whitfield'],
  ['OBrien', 'customer', 'Mary Ann O’Brien'],
  ['ann obrien', 'customer', 'Mary Ann O’Brien'],
  ['dana w', 'customer', 'Dana Whitfield'],
  ['Dana Ok', 'customer', 'Dana Okafor'],
  ['jose nunez', 'customer', 'José Núñez'],
  ['baptist church', 'customer', 'Harpeth Hills Baptist Church'],
  ['1204 oak', 'customer', 'Dana Whitfield'],
  ['1204 Oak St.', 'customer', 'Dana Whitfield'],
  ['77 elm avenue', 'customer', 'Mary Ann O’Brien'],
  ['(615) 555-0142', 'customer', 'Dana Whitfield'],
  ['+1 615 555 0142', 'customer', 'Dana Whitfield'],
  ['555-0142', 'customer', 'Dana Whitfield'],
  ['0142', 'customer', 'Dana Whitfield'],
  ['dana.whitfield@example.com', 'customer', 'Dana Whitfield'],
  ['Okafor@ex', 'customer', 'Dana Okafor'],
  ['INV-2026-0042', 'invoice', 'INV-2026-0042'],
  ['invoice 42', 'invoice', 'INV-2026-0042'],
  ['#42', 'invoice', 'INV-2026-0042'],
  ['estimate 77', 'estimate', 'EST-77'],
  ['check 5512', 'payment', 'CHK-5512'],
  ['CHK 5512', 'payment', 'CHK-5512'],
  ['ACH 91799579', 'payment', 'ACH 91799579'],
  ['23-0069-1', 'invoice', '23-0069-1'],
  ['invoice 23-0017-1', 'invoice', '23-0017-1'],
  ['2026-0042', 'invoice', 'INV-2026-0042'],
  ['e-26-0110-b', 'estimate', 'E-26-0110-B'],
  ['gutters', 'project', 'Gutters'],
  ['steeple', 'project', 'Steeple roof'],
  ['job 1', 'lead', 'Priya Raman'],
  ['whitfield project', 'project', 'Roof replacement'],
  ['Dana Whitfeild projects', 'project', 'Roof replacement'],
  ['invoices of whitfield', 'invoice', 'INV-2026-0042'],
  ['raman lead', 'lead', 'Priya Raman'],
  ['customer okafor', 'customer', 'Dana Okafor'],
])('find_records: “%s” finds the %s “%s” first', async (query, type, title) => {
  expect(await first(query)).toEqual([type, expect.stringContaining(title)])
})

test('rag.search: records that a query names come before texts; other queries, and keys that may not read records, get texts alone', async () => {
  await putDocuments(db.orm, actor.contractorId, [
    makeDocument('Handbook', 'Whitfield, Oak Street, invoice INV-2026-0042, gutters, project of Whitfield'),
    makeDocument('Warranty', 'Gutters are covered by the warranty for ten years'),
  ])
  const search = async (query: string, as = actor) =>
    (await execute(ragSearch, { actor: as, now: new Date() }, { query, topK: 5 })).hits
  for (const [query, type] of [
    ['Whitfield', 'customer'],
    ['whitfeild', 'customer'],
    ['whitfield project', 'project'],
    ['INV-2026-0042', 'invoice'],
    ['1204 Oak St', 'customer'],
  ]) {
    const hits = await search(`${query}`)
    expect([query, hits[0]?.type]).toEqual([query, type])
    const scores = hits.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(hits.length).toBeLessThanOrEqual(5)
  }
  expect((await search('Whitfield')).map(({ title }) => title)).toContain('Handbook')
  expect((await search('what does the warranty for gutters cover'))[0]?.title).toBe('Warranty')
  const texts: Actor = {
    kind: 'key',
    keyId: 'key_1',
    lineage: 'key_1',
    contractorId: actor.contractorId,
    scopes: new Set(['read:documents']),
  }
  expect((await search('Whitfield', texts)).map(({ type }) => type)).toEqual(['document'])
})

test('find_records: each hit has two facts that tell it apart, and its own id finds it', async () => {
  const facts = async (query: string) => (await find(query))[0]?.facts.map(({ name, value }) => [name, value])
  expect(await facts('whitfield')).toEqual([
    ['Phone', '+16155550142'],
    ['Address', '1204 Oak Street, Nashville'],
  ])
  expect(await facts('invoice 42')).toEqual([
    ['Customer', 'Dana Whitfield'],
    ['Amount', '1250.00 USD, overdue'],
  ])
  const hits = await find('whitfield')
  expect(hits.map(({ type, title }) => [type, title])).toEqual([
    ['customer', 'Dana Whitfield'],
    ['project', 'Roof replacement'],
    ['invoice', 'INV-2026-0042'],
  ])
  for (const { id } of hits) expect((await find(id))[0]?.id).toBe(id)
})

test('find_records: an exact word comes before its beginning, and a limit holds', async () => {
  expect((await find('dana')).map(({ title }) => title).sort()).toEqual(['Dana Okafor', 'Dana Whitfield'])
  expect(await find('dana', actor, 1)).toHaveLength(1)
  expect((await find('invoice 42')).map(({ title }) => title)).toEqual(['INV-2026-0042', 'INV-2026-0420'])
})

test('find_records: a number of several groups finds that number alone, its beginning every number that begins so', async () => {
  expect((await find('23-0017-1')).map(({ title }) => title)).toEqual(['23-0017-1'])
  expect((await find('23-0017')).map(({ title }) => title)).toEqual(['23-0017-1'])
  const begun = Array.from({ length: 10 }, (_, at) => `23-002${at}-1`)
  expect((await find('23-002', actor, 50)).map(({ title }) => title).sort()).toEqual(begun)
  expect((await find('inv-2026-00')).map(({ title }) => title)).toEqual(['INV-2026-0042'])
})

test.each(['', '   ', 'x'.repeat(201)])('find_records: %j is refused', async (query) => {
  await expect(find(query)).rejects.toMatchObject({ code: 'bad_request' })
})

test.each([
  "o'; drop table users; --",
  "''':*&|!()",
  '\\',
  '%',
  '_',
  '🏠',
  'and the of',
  '9'.repeat(150),
  'inv_',
  'zzzzqq xqzzz',
])('find_records: %j finds nothing and breaks nothing', async (query) => {
  expect(await find(query)).toEqual([])
})

test('find_records: nothing of another contractor, and nothing the caller may not read', async () => {
  const mine = new Set((await find('whitfield')).map(({ id }) => id))
  const theirs = (await find('whitfield', other)).map(({ id }) => id)
  expect(theirs).toHaveLength(3)
  for (const id of theirs) {
    expect(mine.has(id)).toBe(false)
    expect(await find(id)).toEqual([])
  }
  const reads = (...scopes: Scope[]): Actor => ({
    kind: 'key',
    keyId: 'key_1',
    lineage: 'key_1',
    contractorId: actor.contractorId,
    scopes: new Set(scopes),
  })
  expect(await find('whitfield', reads('read:invoices'))).toEqual([])
  expect((await find('invoice 42', reads('read:invoices')))[0]).toMatchObject({
    title: 'INV-2026-0042',
    facts: [{ name: 'Amount' }, { name: 'Due' }],
  })
  expect(await find('whitfield', reads('write:leads'))).toEqual([])
})

test('find_records: `types` leaves the other kinds out; a lead is not a project', async () => {
  const kinds = async (query: string, ...types: ('customer' | 'project' | 'lead' | 'invoice')[]) => {
    const { hits } = await execute(findRecords, { actor, now: new Date() }, { query, types })
    return [...new Set(hits.map(({ type }) => type))]
  }
  expect(await kinds('whitfield', 'customer')).toEqual(['customer'])
  expect(await kinds('raman', 'lead')).toEqual(['lead'])
  expect(await kinds('raman', 'project')).toEqual([])
  expect(await kinds('whitfield', 'project', 'invoice')).toEqual(expect.arrayContaining(['project', 'invoice']))
  expect(await kinds('whitfield', 'project', 'invoice')).not.toContain('customer')
})

test('find_records: among thousands with the same words a page comes from a sample, and a rare word is still found', async () => {
  const { contractor } = await makeTenant(db)
  const reader = personActor({ id: 'psn_test', email: 'ana@example.com' }, contractor.id, 'developer')
  const tail = contractor.id.slice(4, 20)
  await db.orm.execute(sql`insert into users (id, contractor_id, name, address, owns_project)
    select 'cus_' || ${tail} || lpad(g::text, 10, '0'), ${contractor.id}, case g when 777 then 'Sam Quirky' else 'Sam Stone' end,
      (g + 10000) || ' Oak Street', true from generate_series(1, 3000) g`)
  const titles = async (query: string, limit = 10) => (await find(query, reader, limit)).map(({ title }) => title)
  const read = async (query: string) => {
    const [row] = await rows<{ n: number }>(
      db.orm,
      sql`select count(*)::int as n from find_page('customer', ${contractor.id}, ${query}::tsquery, 10000)`,
    )
    return row?.n
  }
  // A sample of every eighth is enough for a page, and is about an eighth.
  const sampled = await read(`'${contractor.id}/8:sam' & '${contractor.id}/8:oak'`)
  expect(sampled).toBeGreaterThan(300)
  expect(sampled).toBeLessThan(450)
  for (const query of ['sam stone', 'oak street', 'oak stre', 'sam sto'])
    expect(await titles(query, 50)).toHaveLength(50)
  for (const query of ['quirky', 'sam quirky', 'sam quir', 'oak street quirk', '10777 oak stre', 'sam qirky'])
    expect(await titles(query, 1)).toEqual(['Sam Quirky'])
  expect(await titles('zebr')).toEqual([])
})

test('a lead is found by its own phone and email, where its customer has others', async () => {
  const tenant = await makeBooks()
  const of = sql`contractor_id = ${tenant.contractorId}`
  await db.orm.execute(sql`update leads set phone = '+16155550888', email = 'felix@example.com' where ${of}`)
  for (const query of ['(615) 555-0888', '0888', 'felix@example.com'])
    expect((await find(query, tenant)).map(({ type }) => type)).toEqual(['lead'])
  // Its customer is still found by the customer's own number, and no other office finds the lead.
  expect((await find('555-0777', tenant)).map(({ type }) => type)).toContain('customer')
  expect(await find('555-0888', other)).toEqual([])
  const blind = { ...tenant, scopes: new Set<Scope>(['read:projects']) }
  expect(await find('555-0888', blind)).toEqual([])
})

test('a lead is found by the name of whoever wrote it, where its customer and project have others', async () => {
  const tenant = await makeBooks()
  const of = sql`contractor_id = ${tenant.contractorId}`
  await db.orm.execute(sql`update leads set first_name = 'Ottoline', last_name = 'Vance' where ${of}`)
  for (const query of ['Ottoline Vance', 'vance', 'otto', 'Ottolin Vanse'])
    expect((await find(query, tenant)).map(({ type }) => type)).toEqual(['lead'])
  expect((await find('vance', tenant))[0]?.facts[0]).toEqual({ name: 'Written by', value: 'Ottoline Vance' })
  expect(await find('vance', other)).toEqual([])
  expect(await find('vance', { ...tenant, scopes: new Set<Scope>(['read:projects']) })).toEqual([])
})

test('it says how many more match than are told, of the kinds that are asked for', async () => {
  const more = async (input: { query: string; limit: number; types?: ['customer'] | ['invoice'] }) => {
    const { hits, more: others } = await execute(findRecords, { actor, now: new Date() }, input)
    return [hits.length, others]
  }
  expect(await more({ query: 'dana', limit: 1 })).toEqual([1, 1])
  expect(await more({ query: 'dana', limit: 1, types: ['customer'] })).toEqual([1, 1])
  expect(await more({ query: 'dana', limit: 10, types: ['invoice'] })).toMatchObject([expect.any(Number), 0])
  expect(await more({ query: 'nobody at all', limit: 5 })).toEqual([0, 0])
})

test('rag.search: its note says how far the index is behind, and nothing once it is not', async () => {
  await db.orm.execute(sql`insert into search_queue (owner, kind, reference)
    select ${actor.contractorId}, 'project', 'prj_' || g from generate_series(1, 1250) g`)
  const note = async () => (await execute(ragSearch, { actor, now: new Date() }, { query: 'gutters' })).note
  expect(await note()).toBe(
    'The search index is behind: what was written lately in 1,050 records is not in it yet. Search again in a minute.',
  )
  await indexQueued(db, actor.contractorId)
  expect(await note()).toBeNull()
})
