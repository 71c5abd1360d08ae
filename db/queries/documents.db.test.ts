import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '@/lib/testing/database'
import { type Database, rows } from '../client'
import { putDocuments, removeDocuments, type SourceDocument } from './documents'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const makeDocument = (reference: string, ...texts: string[]): SourceDocument => ({
  type: 'document',
  reference,
  title: `Title of ${reference}`,
  link: null,
  untrusted: false,
  chunks: texts.map((text) => ({ heading: '', text })),
})

/** Returns an owner's index by word, with its counters, computed only from the postings. */
async function indexed(owner: string) {
  const terms = await rows<{ term: string; chunks: number; postings: number }>(
    db.orm,
    sql`select t.term, t.chunks, (select count(*)::int from search_postings p where p.term_id = t.id) as postings
      from search_terms t join search_shelves s on s.id = t.shelf_id where s.owner = ${owner} order by t.term`,
  )
  const [shelf] = await rows<{ chunks: number; words: number }>(
    db.orm,
    sql`select chunks, words::int as words from search_shelves where owner = ${owner}`,
  )
  return { terms, shelf }
}

test('adds, replaces, skips unchanged documents, removes; the counters match the postings', async () => {
  const owner = 'con_counts'
  const two = [makeDocument('a', 'ridge vent', 'ridge cap and flashing'), makeDocument('b', 'ridge')]
  expect(await putDocuments(db.orm, owner, two)).toEqual({ added: 2, updated: 0, unchanged: 0 })
  expect(await putDocuments(db.orm, owner, two)).toEqual({ added: 0, updated: 0, unchanged: 2 })
  const first = await indexed(owner)
  expect(first.terms.map(({ term, chunks }) => `${term} ${chunks}`)).toEqual([
    'b 1',
    'cap 1',
    'flash 1',
    'ridg 3',
    'titl 3',
    'vent 1',
  ])
  expect(first.terms.every(({ chunks, postings }) => chunks === postings)).toBe(true)
  // Title words count three times; `a`, `of` and `and` are stop words: (3+2) + (3+3) + (6+1).
  expect(first.shelf).toEqual({ chunks: 3, words: 18 })

  expect(await putDocuments(db.orm, owner, [makeDocument('a', 'gutter')])).toEqual({
    added: 0,
    updated: 1,
    unchanged: 0,
  })
  const second = await indexed(owner)
  expect(second.terms.map(({ term, chunks }) => `${term} ${chunks}`)).toEqual(['b 1', 'gutter 1', 'ridg 1', 'titl 2'])
  expect(second.shelf).toEqual({ chunks: 2, words: 11 })

  expect(await removeDocuments(db.orm, owner, 'document', ['a', 'b', 'c', 'b'])).toBe(2)
  expect(await indexed(owner)).toEqual({ terms: [], shelf: { chunks: 0, words: 0 } })
})

test('documents that are added and removed leave nothing behind', async () => {
  const owner = 'con_orphans'
  const many = Array.from({ length: 40 }, (_, i) => makeDocument(`d${i}`, `word${i} common`, 'other common piece'))
  await putDocuments(db.orm, owner, many)
  await putDocuments(
    db.orm,
    owner,
    many.map((document) => ({ ...document, chunks: document.chunks.slice(0, 1) })),
  )
  await removeDocuments(
    db.orm,
    owner,
    'document',
    many.map(({ reference }) => reference),
  )
  const tables = ['documents', 'document_chunks', 'chunk_terms', 'search_terms', 'search_words']
  for (const table of tables) {
    const of = sql`shelf_id in (select id from search_shelves where owner = ${owner})`
    const [left] = await rows<{ n: number }>(
      db.orm,
      sql`select count(*)::int as n from ${sql.identifier(table)} where ${of}`,
    )
    expect(left?.n, table).toBe(0)
  }
  const [loose] = await rows<{ n: number }>(
    db.orm,
    sql`select count(*)::int as n from search_postings p where not exists (select 1 from search_terms t where t.id = p.term_id)
      or not exists (select 1 from document_chunks c where c.document = p.document and c.ordinal = p.ordinal)`,
  )
  expect(loose?.n).toBe(0)
})

test('one reference with two owners and two types is four documents; removing one leaves three', async () => {
  for (const owner of ['con_one', 'con_two'])
    await putDocuments(db.orm, owner, [
      makeDocument('same', 'text'),
      { ...makeDocument('same', 'text'), type: 'project' },
    ])
  expect(await removeDocuments(db.orm, 'con_one', 'project', ['same'])).toBe(1)
  const left = await rows<{ owner: string; type: string }>(
    db.orm,
    sql`select s.owner, s.type from documents d join search_shelves s on s.id = d.shelf_id where d.reference = 'same' order by 1, 2`,
  )
  expect(left.map(({ owner, type }) => `${owner} ${type}`)).toEqual([
    'con_one document',
    'con_two document',
    'con_two project',
  ])
})

test('concurrent writers of one shelf lose nothing, and the counters stay right', async () => {
  const owner = 'con_together'
  const writes = Array.from({ length: 8 }, (_, i) =>
    putDocuments(db.orm, owner, [makeDocument(`w${i}`, 'shared words of all'), makeDocument('common', `version ${i}`)]),
  )
  await Promise.all(writes)
  const { terms, shelf } = await indexed(owner)
  expect(terms.find(({ term }) => term === 'share')).toMatchObject({ chunks: 8, postings: 8 })
  expect(terms.every(({ chunks, postings }) => chunks === postings)).toBe(true)
  expect(shelf?.chunks).toBe(9)
})

test('characters that Postgres cannot store are removed; a text that is too long is refused, and nothing of that batch is written', async () => {
  const owner = 'con_bounds'
  await putDocuments(db.orm, owner, [makeDocument('nul', 'before\0after \ud800 end'), makeDocument('empty')])
  expect((await indexed(owner)).shelf?.chunks).toBe(2)
  const long = makeDocument('long', 'x'.repeat(20_001))
  await expect(putDocuments(db.orm, owner, [makeDocument('fine', 'text'), long])).rejects.toThrow(/text of a chunk/)
  expect((await indexed(owner)).shelf?.chunks).toBe(2)
})

test('a document that changes in part keeps the rest of its index as it was', async () => {
  const owner = 'con_part'
  const written = () =>
    rows<{ text: string; by: string }>(
      db.orm,
      sql`select k.text, k.xmin::text as by from document_chunks k join search_shelves s on s.id = k.shelf_id
        where s.owner = ${owner} order by k.ordinal`,
    )
  await putDocuments(db.orm, owner, [makeDocument('a', 'ridge vent', 'ridge cap', 'gutter')])
  const before = await written()
  await putDocuments(db.orm, owner, [makeDocument('a', 'ridge vent', 'soffit')])
  const after = await written()
  expect(after.map(({ text }) => text)).toEqual(['ridge vent', 'soffit'])
  expect([after[0]?.by === before[0]?.by, after[1]?.by === before[1]?.by]).toEqual([true, false])
  const { terms } = await indexed(owner)
  expect(terms.every(({ chunks, postings }) => chunks === postings)).toBe(true)
  expect(terms.map(({ term }) => term)).not.toContain('gutter')
})
