import { sql } from 'drizzle-orm'
import { type Database, openDatabase, rows } from '@/db/client'
import { putDocuments, tidyIndex } from '@/db/queries/documents'
import { findChunks, resolveTerms, type WeighedList } from '@/db/queries/search'
import { DOCUMENT_TYPES } from '@/db/schema'
import { loadEnv } from '@/lib/core/env'
import { searchDocuments } from '@/lib/knowledge/retrieval/search'
import { candidatesFor, weighLists } from '@/lib/knowledge/retrieval/weigh'
import { makeHome } from '../../e2e/running'
import { note } from '../figures'
import { median } from '../load'
import { CHUNKS_PER_DOCUMENT, fill, makeDocument, makeRandom, makeRanks } from './made'
import { QUERIES } from './queries'

const EACH = 20
const FOUND = 10
const ALL = 10_000_000
/** The most lists of a query; more take longer to read completely than a statement may. */
const MOST_LISTS = 10

/** Prints how much of the exact first ten's scores a search has that reads only a part of long lists, without feedback. */
async function measureExactness(db: Database, contractorId: string): Promise<void> {
  const reader = { contractorId, types: DOCUMENT_TYPES }
  for (const [name, make] of Object.entries(QUERIES)) {
    const shares: number[] = []
    for (let i = 0; i < EACH; i++) {
      const { terms, chunks, words } = await resolveTerms(db, reader, { text: make(), phrases: [] })
      const scores = async (lists: WeighedList[], candidates: number) => {
        const more = { chunks, averageLength: words / chunks, phrases: null, limit: FOUND, feedback: false }
        const found = await findChunks(db, reader, { lists, candidates, ...more })
        return found.reduce((sum, { score }) => sum + score, 0)
      }
      const lists = weighLists(terms, chunks)
      if (lists.length === 0 || lists.length > MOST_LISTS) continue
      const best = await scores(
        lists.map((list) => ({ ...list, postings: ALL })),
        ALL,
      )
      shares.push((await scores(lists, candidatesFor(FOUND, false))) / best)
    }
    if (shares.length === 0) continue
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    console.log(
      `  ${name.padEnd(20)} ${mean.toFixed(3)} of the exact scores, at worst ${Math.min(...shares).toFixed(3)}`,
    )
  }
}

const OWNER = 'con_large'
const OTHERS = 10
const FEW = 1_000

const random = makeRandom(7)

const quantile = (times: number[], q: number) =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * q))] ?? Number.NaN

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Returns the median milliseconds to add one document of ten chunks, over thirty documents. */
async function costOfAdding(db: Database, name: string): Promise<number> {
  const rank = makeRanks(random)
  const times: number[] = []
  for (let i = 0; i < 30; i++) {
    const document = makeDocument(`${name} ${i}`, rank, random)
    times.push(await timed(() => putDocuments(db.orm, OWNER, [document])))
  }
  return median(times)
}

const COUNT = {
  name: 'bench_count',
  text: `select count(*)::int as n from documents where shelf_id = (select id from search_shelves where owner = $1 limit 1)`,
}

/** The limit for a search among a hundred thousand chunks, in milliseconds. */
const WANTED = 10

/** Measures one query of each type and the count in each round, in turn, so that other work on the machine affects all alike. */
async function measureQueries(db: Database, chunks: number, rounds: number): Promise<void> {
  const times = new Map<string, number[]>(['count', ...Object.keys(QUERIES)].map((name) => [name, []]))
  for (let round = -Math.min(20, rounds); round < rounds; round++) {
    const keep = (name: string, took: number) => round >= 0 && times.get(name)?.push(took)
    keep('count', await timed(() => db.run(COUNT, [OWNER])))
    for (const [name, make] of Object.entries(QUERIES)) {
      const ask = { contractorId: OWNER, types: DOCUMENT_TYPES, query: make(), limit: 10 }
      keep(name, await timed(() => searchDocuments(db, ask)))
    }
  }
  const count = median(times.get('count') ?? [])
  console.log(`a bare count of the contractor's documents by an index: p50 ${count.toFixed(2)} ms`)
  const all: number[] = []
  for (const name of Object.keys(QUERIES)) {
    const of = times.get(name) ?? []
    all.push(...of)
    console.log(
      `  ${name.padEnd(20)} p50 ${median(of).toFixed(1).padStart(6)} ms  p99 ${quantile(of, 0.99).toFixed(1).padStart(6)} ms  ${(median(of) / count).toFixed(1)} counts`,
    )
  }
  console.log(
    `  ${'all'.padEnd(20)} p50 ${median(all).toFixed(1).padStart(6)} ms  p99 ${quantile(all, 0.99).toFixed(1).padStart(6)} ms  ${(median(all) / count).toFixed(1)} counts`,
  )
  note(`p50 of searches among ${chunks} chunks`, median(all), { unit: 'ms', goal: { atMost: WANTED } })
  note(`p99 of searches among ${chunks} chunks`, quantile(all, 0.99), { unit: 'ms' })
}

/**
 * Measures searches of one contractor's `chunks` next to ten contractors with a fiftieth of that each, on Postgres, and the cost of
 * adding a document.
 */
export async function measureScale(chunks: number, rounds: number): Promise<void> {
  const home = await makeHome('pg')
  const db = await openDatabase({ ...loadEnv(home.env), poolSize: 2 })
  await fill(db, OWNER, FEW, 1)
  await tidyIndex(db.orm)
  const atFirst = await costOfAdding(db, 'few')
  for (let other = 0; other < OTHERS; other++) await fill(db, `con_other_${other}`, chunks / 50, 100 + other)
  await fill(db, OWNER, chunks, 1)
  await tidyIndex(db.orm)
  const [size] = await rows<{ n: number }>(db.orm, sql`select sum(chunks)::int as n from search_shelves`)
  console.log(`${size?.n} chunks are there, ${chunks} of them one contractor's, searched in turn, ${rounds} rounds`)
  await measureQueries(db, chunks, rounds)
  await measureExactness(db, OWNER)
  const atLast = await costOfAdding(db, 'many')
  console.log(
    `adding a document of ${CHUNKS_PER_DOCUMENT} chunks: ${atFirst.toFixed(1)} ms at ${FEW} chunks, ${atLast.toFixed(1)} ms at ${chunks}: ratio ${(atLast / atFirst).toFixed(2)}`,
  )
  note(`time of adding a document at ${chunks} chunks to one at ${FEW}`, atLast / atFirst)
  await db.close()
  await home.remove()
}
