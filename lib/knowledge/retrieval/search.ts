import type { Database } from '@/db/client'
import { type AnalyzedQuery, findChunks, type Reader, resolveTerms, type Scored } from '@/db/queries/search'
import { countBehind, indexSome } from '@/db/queries/search-queue'
import { nearestChunks } from '@/db/queries/vectors'
import type { DocumentType } from '@/db/schema'
import { storable } from '@/lib/core/text'
import { queryVector } from './embed'
import { snippetOf } from './snippet'
import { type Correction, correctTerms } from './spelling'
import { candidatesFor, deservesFeedback, weighLists } from './weigh'

/**
 * The constant of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods" (2009):
 * 60.
 */
const K = 60

/**
 * Merges several rankings: a document scores the sum of 1 / (60 + its rank) over the rankings that contain it. The first ranking
 * that has it supplies the result.
 */
function fuse<T extends { document: string; score: number }>(rankings: T[][]): T[] {
  const fused = new Map<string, T>()
  for (const ranking of rankings) {
    for (const [i, item] of ranking.entries()) {
      const before = fused.get(item.document)
      fused.set(item.document, { ...(before ?? item), score: (before?.score ?? 0) + 1 / (K + i + 1) })
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score)
}

/** A document found, represented by its best chunk. `score` is BM25's: higher is better, comparable only within one answer. */
export type Hit = {
  id: string
  type: DocumentType
  title: string
  snippet: string
  score: number
  link: string | null
  untrusted: boolean
}

/**
 * The result of a search. `words` is the number of query words searched for; `corrections` lists the typos that were corrected;
 * `isUnquoted` is true when no text had the quoted words together, so that they were searched one by one. `behind` is the number of records
 * whose last changes the index does not have.
 */
export type Found = { hits: Hit[]; words: number; corrections: Correction[]; isUnquoted: boolean; behind: number }

const QUOTED = /["“”]([^"“”]+)["“”]/gu

/** The number of words beside its quotes above which a query is a question, in which people quote titles, and words for emphasis. */
const QUESTION = 10

/** Splits a query into its quoted phrases, which must appear verbatim in a chunk, and the whole query. A long question requires none. */
export function readQuery(query: string): { text: string; phrases: string[] } {
  const phrases = [...query.matchAll(QUOTED)].map(([, phrase = '']) => phrase.trim())
  const beside = query.replace(QUOTED, ' ').split(/\s+/).filter(Boolean)
  const text = storable(query)
  return { text, phrases: beside.length > QUESTION ? [] : phrases.filter(Boolean) }
}

function hitOf({ id, type, title, heading, text, link, untrusted, score }: Scored, stems: string[]): Hit {
  const place = heading === '' ? '' : `${heading}: `
  return { id, type, title, snippet: place + snippetOf(text, stems), score, link, untrusted }
}

/** Documents taken from each ranking for fusion. */
const FUSED = 50

/**
 * The most batches of queued changes a search indexes before it runs. Loads index their own records, and a job those of everything else, so the
 * queue is rarely longer.
 */
const CATCH_UP = 4

/** Indexes the contractor's queued changes first, so that a search finds what was written a moment ago. */
async function catchUp(db: Database, contractorId: string): Promise<void> {
  for (let batch = 0; batch < CATCH_UP; batch++) if ((await indexSome(db, contractorId)) === 0) return
}

/** The kinds of queued records that become documents of the types a reader may see. */
const queuedKinds = ({ types }: Reader): string[] => [
  ...new Set(types.map((type) => (type === 'lead' ? 'project' : type))),
]

/** Analyzes a query, of an index that has what the contractor wrote before as far as there is time for it; also counts what it lacks. */
async function askUpToDate(
  db: Database,
  reader: Reader,
  query: ReturnType<typeof readQuery>,
): Promise<AnalyzedQuery & { behind: number }> {
  const asked = await resolveTerms(db, reader, query)
  if (!asked.isBehind) return { ...asked, behind: 0 }
  await catchUp(db, reader.contractorId)
  const again = await resolveTerms(db, reader, query)
  return { ...again, behind: again.isBehind ? await countBehind(db, reader.contractorId, queuedKinds(reader)) : 0 }
}

/** The best documents by words. */
async function byWords(db: Database, reader: Reader, query: string, limit: number, feedback: boolean) {
  const asked = await askUpToDate(db, reader, readQuery(query))
  const corrected = asked.terms.some(({ lists }) => lists.length === 0)
    ? await correctTerms(db, reader, asked.terms)
    : { terms: asked.terms, corrections: [] }
  const lists = weighLists(corrected.terms, asked.chunks)
  const find = (phrases: string | null): Promise<Scored[]> => {
    const hasPhrases = phrases !== null
    return findChunks(db, reader, {
      lists,
      chunks: asked.chunks,
      averageLength: asked.words / asked.chunks,
      phrases,
      limit,
      candidates: candidatesFor(limit, hasPhrases),
      feedback: feedback && deservesFeedback(corrected.terms, hasPhrases),
    })
  }
  const found = lists.length === 0 ? [] : await find(asked.phrases)
  const isUnquoted = lists.length > 0 && asked.phrases !== null && found.length === 0
  const hasPhrases = asked.phrases !== null && !isUnquoted
  return { ...corrected, found: isUnquoted ? await find(null) : found, hasPhrases, isUnquoted, behind: asked.behind }
}

/**
 * Searches the documents a reader may see (its own and public ones, limited to its types). Returns each document once, best first.
 * Words are ranked with BM25 on their stems; a word that no document contains is replaced with the nearest one that occurs. Where
 * embeddings are configured, similarity of meaning also counts toward the ranking, but quoted words must always appear. `feedback`
 * false leaves out the pass with the words of the first documents, so that its worth can be measured.
 */
export async function searchDocuments(
  db: Database,
  { query, limit, feedback = true, ...reader }: Reader & { query: string; limit: number; feedback?: boolean },
): Promise<Found> {
  const vector = await queryVector(query)
  const { terms, corrections, found, hasPhrases, isUnquoted, behind } = await byWords(
    db,
    reader,
    query,
    vector ? Math.max(FUSED, limit) : limit,
    feedback,
  )
  const stems = terms.map(({ lexeme }) => lexeme)
  const isByWords = !vector || hasPhrases || terms.length === 0
  const ranked = isByWords
    ? found
    : fuse([
        found,
        await nearestChunks(db, reader, { ...vector, documents: found.map(({ document }) => document), limit: FUSED }),
      ])
  const hits = ranked.slice(0, limit).map((scored) => hitOf(scored, stems))
  return { hits, words: terms.length, corrections, isUnquoted: isUnquoted && hits.length > 0, behind }
}
