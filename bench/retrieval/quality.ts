import { sql } from 'drizzle-orm'
import MiniSearch from 'minisearch'
import bm25 from 'wink-bm25-text-search'
import nlp from 'wink-nlp-utils'
import { type Database, rows } from '@/db/client'
import { putDocuments } from '@/db/queries/documents'
import { chunkBlocks } from '@/lib/knowledge/retrieval/chunk'
import { DOCUMENT_TYPES } from '@/lib/knowledge/retrieval/document'
import { searchDocuments } from '@/lib/knowledge/retrieval/search'
import { openTestDatabase } from '@/lib/testing/database'
import { type Collection, type CollectionDocument, readCollection } from './collection'
import { ndcg, quantile, recall } from './metrics'

/** Returns document ids, best first. */
type Contender = { name: string; search(query: string, limit: number): Promise<string[]> | string[] }

const OWNER = 'collection'
const BATCH = 200

/** Returns our search, without and with relevance feedback. Documents are chunked and indexed as a load does it. */
async function ours(db: Database, documents: CollectionDocument[]): Promise<Contender[]> {
  const sources = documents.map(({ id, title, text }) => ({
    type: 'document' as const,
    reference: id,
    title: title.slice(0, 500),
    link: null,
    untrusted: false,
    chunks: chunkBlocks(title, [{ kind: 'prose', text }]),
  }))
  for (let i = 0; i < sources.length; i += BATCH) await putDocuments(db.orm, OWNER, sources.slice(i, i + BATCH))
  const known = await rows<{ id: string; reference: string }>(db.orm, sql`select id, reference from documents`)
  const references = new Map(known.map(({ id, reference }) => [id, reference]))
  return [false, true].map((feedback) => ({
    name: `plumbline, feedback ${feedback ? 'on' : 'off'}`,
    search: async (query, limit) => {
      const asked = { contractorId: OWNER, types: DOCUMENT_TYPES, query, limit, feedback }
      const { hits } = await searchDocuments(db, asked)
      return hits.flatMap(({ id }) => references.get(id) ?? [])
    },
  }))
}

/** Returns Postgres's own ranking of documents with any of the words, with a weighted title, divided by the logarithm of the length. */
async function tsRank(db: Database, documents: CollectionDocument[]): Promise<Contender> {
  await db.orm.execute(sql`create table bench_documents (id text primary key, words tsvector)`)
  for (let i = 0; i < documents.length; i += BATCH)
    await db.orm.execute(sql`insert into bench_documents select id,
        setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', text), 'D')
      from jsonb_to_recordset(${JSON.stringify(documents.slice(i, i + BATCH))}::jsonb) as d(id text, title text, text text)`)
  await db.orm.execute(sql`create index on bench_documents using gin (words)`)
  return {
    name: 'ts_rank (any word)',
    search: async (query, limit) => {
      const found = await rows<{ id: string }>(
        db.orm,
        sql`select d.id from bench_documents d, (select string_agg(quote_literal(lexeme), ' | ')::tsquery as q
            from unnest(to_tsvector('english', ${query}))) a
          where d.words @@ a.q order by ts_rank(d.words, a.q, 1) desc, d.id limit ${limit}`,
      )
      return found.map(({ id }) => id)
    },
  }
}

/** Returns wink's BM25 with its stop words and Porter stemming. */
function wink(documents: CollectionDocument[], titleWeight: number): Contender {
  const engine = bm25()
  engine.defineConfig({ fldWeights: { title: titleWeight, text: 1 } })
  engine.definePrepTasks([nlp.string.lowerCase, nlp.string.tokenize0, nlp.tokens.removeWords, nlp.tokens.stem])
  for (const { id, title, text } of documents) engine.addDoc({ title, text }, id)
  engine.consolidate()
  return {
    name: `wink BM25, Porter, title x${titleWeight}`,
    search: (query, limit) => engine.search(query, limit).map(([id]) => id),
  }
}

/** Returns MiniSearch (BM25+) with its defaults and a weighted title. */
function miniSearch(documents: CollectionDocument[], titleWeight: number): Contender {
  const engine = new MiniSearch<CollectionDocument>({ fields: ['title', 'text'] })
  engine.addAll(documents)
  return {
    name: `MiniSearch, title x${titleWeight}`,
    search: (query, limit) =>
      engine
        .search(query, { boost: { title: titleWeight } })
        .slice(0, limit)
        .map(({ id }) => String(id)),
  }
}

const FOUND = 50

type Measured = { name: string; ndcg: number; recall: number; milliseconds: number[] }

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

async function measure({ name, search }: Contender, { queries, judgments }: Collection): Promise<Measured> {
  // Runs once unmeasured, so that statements are prepared and pages are in memory.
  for (const { text } of queries) await search(text, FOUND)
  const perQuery: { ndcg: number; recall: number; milliseconds: number }[] = []
  for (const { id, text } of queries) {
    const began = performance.now()
    const ranking = await search(text, FOUND)
    const milliseconds = performance.now() - began
    const judged = judgments.get(id) ?? new Map()
    perQuery.push({ ndcg: ndcg(ranking, judged, 10), recall: recall(ranking, judged, FOUND), milliseconds })
  }
  return {
    name,
    ndcg: mean(perQuery.map(({ ndcg }) => ndcg)),
    recall: mean(perQuery.map(({ recall }) => recall)),
    milliseconds: perQuery.map(({ milliseconds }) => milliseconds),
  }
}

/** Prints nDCG@10, recall@50 and latency on a collection in a folder, for our search and others, over one driver. */
export async function measureQuality(folder: string, driver: string): Promise<void> {
  process.env.TEST_DRIVER = driver
  const collection = readCollection(folder)
  const { documents, queries } = collection
  const db = await openTestDatabase()
  try {
    const contenders = [
      ...(await ours(db, documents)),
      await tsRank(db, documents),
      wink(documents, 1),
      wink(documents, 3),
      miniSearch(documents, 1),
      miniSearch(documents, 3),
    ]
    await db.orm.execute('analyze')
    console.log(`${documents.length} documents, ${queries.length} judged queries, ${driver}\n`)
    console.log(`${''.padEnd(30)} nDCG@10  recall@50  p50 ms  p95 ms`)
    for (const contender of contenders) {
      const { name, ndcg, recall, milliseconds } = await measure(contender, collection)
      const figures = [ndcg.toFixed(3).padStart(8), recall.toFixed(3).padStart(10)]
      const times = [quantile(milliseconds), quantile(milliseconds, 0.95)].map((ms) => ms.toFixed(1).padStart(7))
      console.log(`${name.padEnd(30)}${figures.join(' ')} ${times.join(' ')}`)
    }
  } finally {
    await db.close()
  }
}
