import type { ResolvedTerm, WeighedList } from '@/db/queries/search'
import { isAsking } from './asking-words'

/**
 * Postings read per query. Lists of at most `COMPLETE` are read completely, so collections of up to that many chunks and rare words are
 * always searched exactly; the others share the rest, from `LEAST` to `MOST` each: what leads in one list is found in its first thousands.
 */
const POSTINGS = 8_000
const COMPLETE = 1_000
const LEAST = 200
const MOST = 4_000
/** Chunks whose score is computed exactly. */
const CHUNKS = 450
const CHUNKS_FOR_PHRASES = 2_000

/**
 * Returns the inverse document frequency of a word: Robertson and Sparck Jones's weight without relevance feedback, ln((N - n + 0.5) / (n +
 * 0.5)). The logarithm's argument is increased by 1, as in Lucene's BM25Similarity, so that words in more than half of the chunks do not
 * lower a score.
 */
const inverseFrequency = (chunks: number, withTerm: number): number =>
  Math.log(1 + (chunks - withTerm + 0.5) / (withTerm + 0.5))

/**
 * The limit on how much a word counts that a query repeats: BM25's k3, 7 (Robertson et al., "Okapi at TREC-3", 1994, use 7 to 1,000). A
 * long text pasted as a query would otherwise be ranked by the word it says most often.
 */
const K3 = 7
const repeated = (times: number): number => ((K3 + 1) * times) / (K3 + times)

/** The share of its rarity that a word weighs that only asks. */
const ASKING = 0.5

/**
 * The fewest words a query needs for relevance feedback. One or two are mostly a name, and what its documents have in common is another
 * topic.
 */
const LEAST_FOR_FEEDBACK = 3

/** Reports whether the first documents are taken as relevant for a query: it describes a topic, and quotes nothing. */
export const deservesFeedback = (terms: readonly ResolvedTerm[], hasPhrases: boolean): boolean =>
  !hasPhrases && terms.filter(({ lists, words }) => lists.length > 0 && !isAsking(words)).length >= LEAST_FOR_FEEDBACK

type List = { term: number; weight: number; chunks: number }

/**
 * Splits a query's postings among the lists that are longer than {@link COMPLETE}, by the squares of their weights: the first postings of a
 * rare word tell more than those of a common one. What a list has less than its share goes to the others.
 */
function sharePostings(lists: readonly List[]): WeighedList[] {
  const isComplete = ({ chunks }: List) => chunks <= COMPLETE
  const claim = ({ weight }: List) => weight * weight
  const complete = lists.filter(isComplete).map((list) => ({ ...list, postings: list.chunks }))
  const long = lists.filter((list) => !isComplete(list)).sort((a, b) => a.chunks / claim(a) - b.chunks / claim(b))
  let left = POSTINGS - complete.reduce((sum, { postings }) => sum + postings, 0)
  const shared = long.map((list, i) => {
    const claims = long.slice(i).reduce((sum, other) => sum + claim(other), 0)
    const share = Math.max(LEAST, Math.floor((left * claim(list)) / claims))
    const postings = Math.min(list.chunks, share, MOST)
    left -= postings
    return { ...list, postings }
  })
  return [...complete, ...shared].map(({ term, weight, postings }) => ({ term, weight, postings }))
}

/**
 * Weighs the posting lists of a query's words, and says how much of each is read. The same word on several shelves counts as one word,
 * weighted by all of its chunks together.
 */
export function weighLists(terms: readonly ResolvedTerm[], chunks: number): WeighedList[] {
  const weighed = terms.flatMap(({ lists, repeats, words }) => {
    const withTerm = lists.reduce((sum, list) => sum + list.chunks, 0)
    const weight = (isAsking(words) ? ASKING : 1) * repeated(repeats) * inverseFrequency(chunks, withTerm)
    return lists.map((list) => ({ term: list.term, weight, chunks: list.chunks }))
  })
  return sharePostings(weighed)
}

/** Returns the number of chunks that are scored exactly for so many documents in an answer. */
export const candidatesFor = (limit: number, hasPhrases: boolean): number =>
  Math.max(hasPhrases ? CHUNKS_FOR_PHRASES : CHUNKS, limit * 8)
