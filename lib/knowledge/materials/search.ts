import type { BookItem } from '@/db/queries/materials'

/** The most items of a price book that are searched; beyond it the answer says that not all were. */
export const MOST_ITEMS = 10_000

/** Below this a match is a coincidence of letters. */
const LEAST_SCORE = 0.4
const LEAST_WORD = 0.25

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The threes of letters of a word with two blanks before and one behind, as PostgreSQL's pg_trgm takes them. */
export function trigrams(word: string): Set<string> {
  const padded = `  ${word} `
  return new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)))
}

/** How alike two words are, 0 to 1: Dice's coefficient of their trigrams, twice those shared over those of both. */
export function similarity(a: Set<string>, b: Set<string>): number {
  let shared = 0
  for (const trigram of a) if (b.has(trigram)) shared++
  return (2 * shared) / (a.size + b.size)
}

/** An item's words, and neighbors drawn together, so that `R13` finds `R-13` and `plywood` finds `ply wood`. */
function termsOf({ item, name, trade }: BookItem): string[] {
  const texts = [wordsOf(item), wordsOf(name), wordsOf(trade ?? '')]
  return texts.flatMap((words) => [...words, ...words.slice(1).map((word, i) => `${words[i]}${word}`)])
}

/** A score from 0 to 1: the mean over the query's words of their best likeness to a word of the item; 0 when one is like none. */
export type Found = BookItem & { score: number }

/**
 * Finds items by name, key or trade, typing errors allowed, the best first. Computed here and not in the database, because pg_trgm is
 * an extension that not every Postgres has; a price book is small, and at most {@link MOST_ITEMS} items are looked at. The likeness of
 * a pair of words is computed once however many items have the word.
 */
export function searchItems(items: BookItem[], query: string): Found[] {
  const wanted = [...new Set(wordsOf(query))].slice(0, 10).map((word) => ({ word, grams: trigrams(word) }))
  if (wanted.length === 0) return []
  const known = new Map<string, number[]>()
  const likeness = (term: string): number[] => {
    const found = known.get(term)
    if (found) return found
    const grams = trigrams(term)
    const made = wanted.map((each) => (each.word === term ? 1 : similarity(each.grams, grams)))
    known.set(term, made)
    return made
  }
  const found: Found[] = []
  for (const item of items) {
    const best = wanted.map(() => 0)
    for (const term of termsOf(item))
      for (const [i, value] of likeness(term).entries()) best[i] = Math.max(best[i] ?? 0, value)
    const score = best.reduce((sum, value) => sum + value, 0) / best.length
    if (score >= LEAST_SCORE && Math.min(...best) >= LEAST_WORD)
      found.push({ ...item, score: Math.round(score * 1000) / 1000 })
  }
  return found.sort((a, b) => b.score - a.score || (a.item < b.item ? -1 : 1))
}
