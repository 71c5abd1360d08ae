import type { AskedTerm, Effort, WeighedList } from '@/db/queries/search'

/**
 * Postings read for one query, parted among its words, and the least for each list. A word that stands in fewer chunks than its
 * share is read to the end, so that a collection of up to 1,000 chunks, and rare words in any, are searched exactly.
 */
const POSTINGS = 9_000
const LEAST_POSTINGS = 1_000
/** Chunks scored exactly. */
const CHUNKS = 400
const CHUNKS_FOR_PHRASES = 2_000

/**
 * How much a word tells: Robertson and Sparck Jones's weight without relevance feedback, ln((N - n + 0.5) / (n + 0.5)), with the 1
 * added within the logarithm that keeps words of more than half of the chunks from counting against (as Lucene's BM25Similarity).
 */
export const inverseFrequency = (chunks: number, withTerm: number): number =>
  Math.log(1 + (chunks - withTerm + 0.5) / (withTerm + 0.5))

/** The posting lists of a query's words. The same word on several shelves is one word: its weight is that of all together. */
export function weighLists(terms: AskedTerm[], chunks: number): WeighedList[] {
  return terms.flatMap(({ lists, repeats }) => {
    const withTerm = lists.reduce((sum, list) => sum + list.chunks, 0)
    const weight = repeats * inverseFrequency(chunks, withTerm)
    return lists.map(({ term }) => ({ term, weight }))
  })
}

/** How much is read for a query of so many lists. */
export function effortFor(lists: number, limit: number, hasPhrases: boolean): Effort {
  return {
    postings: Math.max(LEAST_POSTINGS, Math.floor(POSTINGS / Math.max(1, lists))),
    chunks: Math.max(hasPhrases ? CHUNKS_FOR_PHRASES : CHUNKS, limit * 8),
  }
}
