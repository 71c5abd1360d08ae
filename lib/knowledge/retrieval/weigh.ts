import type { AskedTerm, Effort, WeighedList } from '@/db/queries/search'

/**
 * Postings read per query, split evenly among its lists, and the minimum per list. A word in fewer chunks than its share is read
 * completely, so collections of up to 1,000 chunks and rare words are always searched exactly.
 */
const POSTINGS = 9_000
const LEAST_POSTINGS = 1_000
/** Chunks whose score is computed exactly. */
const CHUNKS = 400
const CHUNKS_FOR_PHRASES = 2_000

/**
 * Inverse document frequency of a word: Robertson and Sparck Jones's weight without relevance feedback, ln((N - n + 0.5) / (n +
 * 0.5)). The logarithm's argument is increased by 1, as in Lucene's BM25Similarity, so that words in more than half of the chunks
 * do not lower a score.
 */
export const inverseFrequency = (chunks: number, withTerm: number): number =>
  Math.log(1 + (chunks - withTerm + 0.5) / (withTerm + 0.5))

/**
 * How much a word counts that a query repeats: BM25's k3, 7 (Robertson et al., "Okapi at TREC-3", 1994, use 7 to 1,000). A long text
 * pasted as a query would otherwise be ranked by the word it says most often.
 */
const K3 = 7
const repeated = (times: number): number => ((K3 + 1) * times) / (K3 + times)

/** Words a query needs for relevance feedback. One or two are mostly a name, and what its documents have in common is another topic. */
const LEAST_FOR_FEEDBACK = 3

/** Whether the first documents are taken as relevant for a query: it describes a topic, and quotes nothing. */
export const deservesFeedback = (terms: readonly AskedTerm[], hasPhrases: boolean): boolean =>
  !hasPhrases && terms.filter(({ lists }) => lists.length > 0).length >= LEAST_FOR_FEEDBACK

/**
 * Weighs the posting lists of a query's words. The same word on several shelves counts as one word, weighted by all of its chunks
 * together.
 */
export function weighLists(terms: AskedTerm[], chunks: number): WeighedList[] {
  return terms.flatMap(({ lists, repeats }) => {
    const withTerm = lists.reduce((sum, list) => sum + list.chunks, 0)
    const weight = repeated(repeats) * inverseFrequency(chunks, withTerm)
    return lists.map(({ term }) => ({ term, weight }))
  })
}

/** How many postings and chunks to read for a query with this many lists. */
export function effortFor(lists: number, limit: number, hasPhrases: boolean): Effort {
  return {
    postings: Math.max(LEAST_POSTINGS, Math.floor(POSTINGS / Math.max(1, lists))),
    chunks: Math.max(hasPhrases ? CHUNKS_FOR_PHRASES : CHUNKS, limit * 8),
  }
}
