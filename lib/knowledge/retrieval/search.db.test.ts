import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '@/db/client'
import { putDocuments, removeDocuments } from '@/db/queries/documents'
import { findChunks, resolveTerms } from '@/db/queries/search'
import { DOCUMENT_TYPES, type DocumentType } from '@/db/schema'
import { openTestDatabase } from '@/lib/testing/database'
import { makeDocument } from '@/lib/testing/documents'
import { searchDocuments } from './search'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const search = (contractorId: string, query: string, types: readonly DocumentType[] = DOCUMENT_TYPES, limit = 10) =>
  searchDocuments(db, { contractorId, types, query, limit })
const titles = async (...given: Parameters<typeof search>) => (await search(...given)).hits.map(({ title }) => title)

describe('ranking', () => {
  const owner = 'con_ranking'
  // Words that equal their own stem, and no title, so that only the text counts.
  const texts: Record<string, string> = {
    r1: 'ridg vent ridg cap nail',
    r2: 'ridg nail nail nail nail nail nail truss board panel',
    r3: 'vent pipe',
    r4: 'cap cap cap board',
    r5: 'panel board truss beam stud plate joist rim band sill',
    r6: 'vent cap ridg pipe board stud plate beam truss panel joist rim band sill nail',
  }

  /** Computes BM25 directly from its definition (k1 1.2, b 0.6, k3 7) over whole texts. */
  function direct(query: string[]): [string, number][] {
    const split = Object.entries(texts).map(([name, text]) => ({ name, words: text.split(' ') }))
    const average = split.reduce((sum, { words }) => sum + words.length, 0) / split.length
    const scores = split.map(({ name, words }): [string, number] => {
      const score = [...new Set(query)].reduce((sum, term) => {
        const times = query.filter((word) => word === term).length
        const n = split.filter((other) => other.words.includes(term)).length
        const tf = words.filter((word) => word === term).length
        const idf = Math.log(1 + (split.length - n + 0.5) / (n + 0.5))
        return (
          sum + (((8 * times) / (7 + times)) * idf * 2.2 * tf) / (tf + 1.2 * (0.4 + (0.6 * words.length) / average))
        )
      }, 0)
      return [name, score]
    })
    return scores.filter(([, score]) => score > 0).sort(([, a], [, b]) => b - a)
  }

  test.each(['ridg', 'ridg vent', 'cap board nail', 'vent vent pipe', 'truss'])(
    '%s: matches the formula',
    async (query) => {
      const documents = Object.entries(texts).map(([reference, text]) => ({
        ...makeDocument('', text),
        reference,
        link: reference,
      }))
      await putDocuments(db.orm, owner, documents)
      const { hits } = await search(owner, query)
      const wanted = direct(query.split(' '))
      expect(hits.map(({ link }) => link)).toEqual(wanted.map(([name]) => name))
      for (const [i, [, score]] of wanted.entries()) expect(hits[i]?.score).toBeCloseTo(score, 9)
    },
  )

  test('calculated manually: one word in two of three chunks of two words each', async () => {
    // idf = ln(1 + 1.5 / 2.5) = 0.4700036; tf 1 at average length: 2.2 / (1 + 1.2) = 1; tf 2: 4.4 / 3.2 = 1.375.
    const owner = 'con_by_hand'
    await putDocuments(db.orm, owner, [
      { ...makeDocument('', 'gutter guard'), reference: 'one', link: 'one' },
      { ...makeDocument('', 'gutter gutter'), reference: 'two', link: 'two' },
      { ...makeDocument('', 'soffit vent'), reference: 'three', link: 'three' },
    ])
    const { hits } = await search(owner, 'gutter')
    expect(hits.map(({ link, score }) => [link, score.toFixed(4)])).toEqual([
      ['two', '0.6463'],
      ['one', '0.4700'],
    ])
  })

  test('a word in the title counts for more than in a heading, and there for more than in the text', async () => {
    const owner = 'con_places'
    await putDocuments(db.orm, owner, [
      { ...makeDocument('roof notes', 'about gutter here'), reference: 'text' },
      {
        ...makeDocument('wall notes', 'about drains here', { chunks: [{ heading: 'gutter', text: 'about drains' }] }),
        reference: 'heading',
      },
      { ...makeDocument('gutter notes', 'about drains here'), reference: 'title' },
    ])
    expect(await titles(owner, 'gutter')).toEqual(['gutter notes', 'wall notes', 'roof notes'])
  })

  test('feedback: what the first documents have in common ranks a later one above its equal, in queries of three words', async () => {
    const owner = 'con_feedback'
    const many = (count: number, text: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => ({ ...makeDocument('', text(at)), reference: text(at), link: text(at) }))
    await putDocuments(db.orm, owner, [
      ...many(12, (at) => `roof leak repair roof leak repair chimney saddle lead a${at}`),
      ...many(100, (at) => `roof note b${at} about other things`),
      ...many(1, () => 'leak zebra saddle chimney drawn'),
      ...many(1, () => 'leak aster paint ceiling drawn'),
    ])
    const found = async (query: string, feedback: boolean) => {
      const { hits } = await searchDocuments(db, {
        contractorId: owner,
        types: DOCUMENT_TYPES,
        query,
        limit: 150,
        feedback,
      })
      const place = (link: string) => hits.findIndex((hit) => hit.link?.includes(link))
      const [zebra, aster] = [hits[place('zebra')], hits[place('aster')]]
      return { apart: (zebra?.score ?? 0) - (aster?.score ?? 0), count: hits.length }
    }
    expect((await found('roof leak repair', true)).apart).toBeGreaterThan(0.1)
    expect((await found('roof leak repair', true)).count).toBe(114)
    for (const [query, feedback] of [
      ['roof leak repair', false],
      ['roof leak', true],
    ] as const)
      expect((await found(query, feedback)).apart, query).toBeCloseTo(0, 9)
  })

  test('scores are whole however much of the lists is read', async () => {
    const owner = 'con_read_partly'
    const documents = Array.from({ length: 30 }, (_, at) => ({
      ...makeDocument(
        '',
        `${'gutter '.repeat((at % 5) + 1)}${'hanger '.repeat(at % 3)}${'strap '.repeat((at * 7) % 11)}`,
      ),
      reference: `p${at}`,
    }))
    await putDocuments(db.orm, owner, documents)
    const reader = { contractorId: owner, types: DOCUMENT_TYPES }
    const { terms, chunks, words } = await resolveTerms(db, reader, { text: 'gutter hanger', phrases: [] })
    const lists = terms.flatMap(({ lists }) => lists.map(({ term }, i) => ({ term, weight: i + 1 })))
    const scores = async (of: typeof lists, postings: number) => {
      const rest = { chunks, averageLength: words / chunks, phrases: null, limit: 30, candidates: 450, feedback: false }
      const found = await findChunks(db, reader, { lists: of.map((list) => ({ ...list, postings })), ...rest })
      return new Map(found.map(({ id, score }) => [id, score]))
    }
    for (const of of [lists, lists.slice(0, 1), lists.slice(1)]) {
      const whole = await scores(of, 1_000)
      const partly = await scores(of, 7)
      expect(whole.size).toBeGreaterThan(partly.size)
      for (const [id, score] of partly) expect(score).toBe(whole.get(id))
    }
  })

  test('a document is one hit, with its best chunk', async () => {
    const owner = 'con_once'
    const chunks = [
      { heading: 'A', text: 'flashing mentioned among many other words of this long piece of text' },
      { heading: 'B', text: 'flashing flashing' },
    ]
    await putDocuments(db.orm, owner, [makeDocument('Book', '', { chunks }), makeDocument('Note', 'step flashing')])
    const { hits } = await search(owner, 'flashing')
    expect(hits.map(({ title }) => title).sort()).toEqual(['Book', 'Note'])
    expect(hits.find(({ title }) => title === 'Book')?.snippet).toBe('B: flashing flashing')
  })
})

describe('words', () => {
  const owner = 'con_words'
  beforeAll(() =>
    putDocuments(db.orm, owner, [
      makeDocument('Shingles', 'Architectural shingles are nailed above the underlayment.'),
      makeDocument('Ice', 'Ice/water shield at the eaves; half-inch plywood.Nails 8d.'),
      makeDocument('Café', 'Renovation for the Café Ærø: naïve estimate, façade painted, Größe egal.'),
      makeDocument('Пол', 'Укладка плитки на кухне'),
      makeDocument('Emoji', 'crew 👷🏽 on site 🏠 gutters cleaned'),
      makeDocument('Vent one', 'ridge vent along the whole house'),
      makeDocument('Vent two', 'vent under the ridge'),
      makeDocument('Number', 'order 1250 square feet at 3.75 each'),
    ]),
  )

  test.each([
    ['shingle', 'Shingles'],
    ['NAILING shingled', 'Shingles'],
    ['water', 'Ice'],
    ['half inch', 'Ice'],
    ['plywood', 'Ice'],
    ['cafe', 'Café'],
    ['CAFÉ', 'Café'],
    ['facade', 'Café'],
    ['плитки', 'Пол'],
    ['gutter', 'Emoji'],
    ['3.75', 'Number'],
    ['1250', 'Number'],
  ])('%s finds %s', async (query, title) => {
    expect((await titles(owner, query))[0]).toBe(title)
  })

  test.each([
    ['shingel', 'shingle', 'Shingles'],
    ['hsingles', 'shingles', 'Shingles'],
    ['undrelayment', 'underlayment', 'Shingles'],
    ['archtectual', 'architectural', 'Shingles'],
    ['plywoood', 'plywood', 'Ice'],
  ])('%s is taken for a word that is there', async (query, _meant, title) => {
    const { hits, corrections } = await search(owner, query)
    expect(hits[0]?.title).toBe(title)
    expect(corrections).toMatchObject([{ from: query }])
  })

  test('a known word is never corrected, and nonsense has no correction', async () => {
    expect(await search(owner, 'vent')).toMatchObject({ corrections: [] })
    expect(await search(owner, 'qqqqqqqqq')).toMatchObject({ hits: [], words: 1, corrections: [] })
  })

  test('of many unknown words the six longest are corrected', async () => {
    const { corrections, words } = await search(
      owner,
      'hsingles nailedd plywoodd paintd undrelayment renovaton alogn gutterz',
    )
    expect(words).toBe(8)
    expect(corrections.map(({ from }) => from).sort()).toEqual(
      ['gutterz', 'hsingles', 'nailedd', 'plywoodd', 'renovaton', 'undrelayment'].sort(),
    )
  })

  test('quoted words must appear together, in this order', async () => {
    expect((await titles(owner, 'ridge vent')).sort()).toEqual(['Vent one', 'Vent two'])
    expect(await titles(owner, '"ridge vent"')).toEqual(['Vent one'])
    expect(await titles(owner, '“vent under the ridge”')).toEqual(['Vent two'])
    expect(await titles(owner, '"ridge vent" "whole house"')).toEqual(['Vent one'])
    expect((await search(owner, '"ridge vent"')).isUnquoted).toBe(false)
  })

  test('quoted words that no text has together are searched one by one, and the answer says so', async () => {
    const { hits, isUnquoted } = await search(owner, '"vent whole"')
    expect([hits.map(({ title }) => title), isUnquoted]).toEqual([['Vent one', 'Vent two'], true])
    expect(await search(owner, '"qqqqqqqqq qqqqqqqqq"')).toMatchObject({ hits: [], isUnquoted: false })
  })

  test('in a long question quotes are emphasis: a text without the words together is found too', async () => {
    const asked = 'where do we put the "ridge vent" on a house so that the air of the whole attic gets out'
    expect((await titles(owner, asked)).sort()).toEqual(expect.arrayContaining(['Vent one', 'Vent two']))
    expect(await titles(owner, '"ridge vent" house')).toEqual(['Vent one'])
  })

  test('only stop words, only punctuation, or an open quote find nothing and cause no error', async () => {
    for (const query of ['the of and', '?!', '"', '""', '\0', "'; drop table documents --", '& | ! <-> :*', '%_\\'])
      expect((await search(owner, query)).hits.length, query).toBeLessThanOrEqual(1)
    expect(await search(owner, 'what is the')).toMatchObject({ hits: [], words: 0, corrections: [] })
  })

  test('a replaced document is found by its new words only, a removed one by none', async () => {
    const owner = 'con_replaced'
    await putDocuments(db.orm, owner, [makeDocument('Plan', 'trenching')])
    await putDocuments(db.orm, owner, [makeDocument('Plan', 'backfill')])
    expect(await titles(owner, 'trenching')).toEqual([])
    expect(await titles(owner, 'backfill')).toEqual(['Plan'])
    await removeDocuments(db.orm, owner, 'document', ['Plan'])
    expect(await titles(owner, 'backfill')).toEqual([])
  })
})
