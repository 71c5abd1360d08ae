import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { indexQueued } from '@/db/queries/search-queue'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

/** A contractor's indexed records, and how many postings they have. */
const indexed = async (contractorId: string) => {
  await indexQueued(db, contractorId)
  return rows<{ type: string; reference: string; title: string; untrusted: boolean; text: string; terms: number }>(
    db.orm,
    sql`select s.type, d.reference, d.title, d.untrusted, string_agg(c.text, '|' order by c.ordinal) as text,
        (select count(*)::int from search_postings p where p.document = d.number) as terms
      from documents d join search_shelves s on s.id = d.shelf_id join document_chunks c on c.document = d.number
      where s.owner = ${contractorId} group by s.type, d.number order by s.type, d.title`,
  )
}

const customers = { 'customers.csv': 'Customer ID,Name\nC1,Ana' }
const projects = (...lines: string[]) => ({
  'projects.csv': ['Project ID,Customer ID,Name,Status,Description,City', ...lines].join('\n'),
})

test('projects: loaded, changed and removed with their record, nothing written when the text is the same', async () => {
  const { contractor, load } = await makeTenant(db)
  await load({
    ...customers,
    ...projects('P1,C1,Oak Street roof,lead,Slate tiles are cracked.,Nashville', 'P2,C1,Deck,lead,,'),
  })
  const first = await indexed(contractor.id)
  expect(first.map(({ type, title, text, untrusted }) => [type, title, text, untrusted])).toEqual([
    ['project', 'Deck', '', false],
    ['project', 'Oak Street roof', 'Slate tiles are cracked.\nNashville', false],
  ])
  // oak, street, roof, slate, tile, crack, nashvill
  expect(first[1]?.terms).toBe(7)
  const changes = () =>
    rows(
      db.orm,
      sql`select d.id, d.updated_at from documents d join search_shelves s on s.id = d.shelf_id
      where s.owner = ${contractor.id} and d.title = 'Oak Street roof'`,
    )
  const before = await changes()
  await load(
    projects('P1,C1,Oak Street roof,completed,Slate tiles are cracked.,Nashville', 'P2,C1,Deck,lead,Cedar boards.,'),
  )
  expect(await changes()).toEqual(before)
  expect((await indexed(contractor.id))[0]).toMatchObject({ text: 'Cedar boards.', terms: 3 })
  await db.orm.execute(sql`delete from projects where contractor_id = ${contractor.id}`)
  expect(await indexed(contractor.id)).toEqual([])
})

test('a project description of ten thousand characters is split between sentences, and all of it is indexed', async () => {
  const { contractor, load } = await makeTenant(db)
  const description = Array.from({ length: 400 }, (_, i) => `Sentence number ${i}.`).join(' ')
  await load({ ...customers, ...projects(`P1,C1,Long,lead,${description},`) })
  const [found] = await indexed(contractor.id)
  const pieces = found?.text.split('|') ?? []
  // 10 records of 18 characters, 90 of 19 and 300 of 20 make 7,890, in pieces of 2,000.
  expect(pieces.length).toBe(4)
  for (const piece of pieces) expect(piece).toMatch(/^Sentence number \d+\..*\.$/)
  expect(pieces.join(' ')).toBe(description)
})

test('leads: a sender’s message is indexed with its project, as untrusted, and once however often it is sent', async () => {
  const tenant = await makeTenant(db)
  const { text: key } = await tenant.key(['write:leads'])
  const body = JSON.stringify({
    firstName: 'Ana',
    lastName: 'López',
    email: 'ana@example.com',
    leadSource: 'Google Ads',
    externalId: 'a-1',
    notes: 'The chimney flashing leaks.',
  })
  for (let i = 0; i < 2; i++)
    await call('/api/webhooks/leads/inbound', {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  expect(await indexed(tenant.contractor.id)).toMatchObject([
    { type: 'lead', untrusted: true, text: expect.stringContaining('chimney flashing') },
  ])
})

test('price book: one document per item with its newest prices; it is removed with the last price', async () => {
  const { contractor, load } = await makeTenant(db)
  const csv = (...lines: string[]) => ({
    'materials.csv': ['Item,Name,Trade,Unit,Unit Cost,Supplier,Date', ...lines].join('\n'),
  })
  await load(csv('tile,Tile,floors,ft2,3.49,A,2026-11-02', 'osb,OSB,,sheet,16.45,,2026-11-02'))
  await load(csv('tile,Floor tile,floors,ft2,3.69,B,2026-11-20'))
  expect(await indexed(contractor.id)).toMatchObject([
    {
      type: 'material',
      reference: 'tile',
      title: 'Floor tile',
      text: 'tile, floors\n3.69 USD per ft2, B, 2026-11-20\n3.49 USD per ft2, A, 2026-11-02',
    },
    { type: 'material', reference: 'osb', title: 'OSB', text: 'osb\n16.45 USD per sheet, 2026-11-02' },
  ])
  await db.orm.execute(sql`delete from material_prices where contractor_id = ${contractor.id} and item_key = 'osb'`)
  expect((await indexed(contractor.id)).map(({ reference }) => reference)).toEqual(['tile'])
})

test('a record that is rolled back leaves nothing in the index', async () => {
  const { contractor, load } = await makeTenant(db)
  await load({ ...customers, ...projects('P1,C1,Oak Street roof,lead,Slate.,') })
  const before = await indexed(contractor.id)
  await expect(
    db.orm.transaction(async (tx) => {
      await tx.execute(sql`update projects set description = 'Copper.' where contractor_id = ${contractor.id}`)
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect(await indexed(contractor.id)).toEqual(before)
})
