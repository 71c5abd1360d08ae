import type { BookItem } from '@/db/queries/materials'
import { slicer } from '@/lib/core/slices'

/** The most items of a price book that are searched. The answer says so when a price book has more. */
export const MOST_ITEMS = 10_000

/** A match that scores lower is a coincidence of letters. */
const LEAST_SCORE = 0.4
const LEAST_WORD = 0.25

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns a word's trigrams, padded with two spaces before and one after, as in PostgreSQL's pg_trgm. */
export function trigrams(word: string): Set<string> {
  const padded = `  ${word} `
  return new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)))
}

/**
 * Returns the similarity of two words from 0 to 1: Dice's coefficient of their trigrams, which is twice the shared ones divided by the sum
 * of both.
 */
export function similarity(a: Set<string>, b: Set<string>): number {
  let shared = 0
  for (const trigram of a) if (b.has(trigram)) shared++
  return (2 * shared) / (a.size + b.size)
}

/** Returns an item's words, plus each pair of adjacent words joined, so that `R13` finds `R-13` and `plywood` finds `ply wood`. */
function termsOf({ item, name, trade }: BookItem): string[] {
  const texts = [wordsOf(item), wordsOf(name), wordsOf(trade ?? '')]
  return texts.flatMap((words) => [...words, ...words.slice(1).map((word, i) => `${words[i]}${word}`)])
}

/**
 * A found item. `score` is from 0 to 1: for each query word, the similarity of the closest word of the item, averaged. It is 0 when a query
 * word matches nothing.
 */
export type Found = BookItem & { score: number }

/**
 * Finds items by name, key or trade, best first, allowing typos. Runs here and not in the database because pg_trgm is an extension
 * that some Postgres servers lack. A price book is small, and at most {@link MOST_ITEMS} items are searched. Each pair of words is
 * compared only once. Other work gets its turn in between.
 */
export async function searchItems(items: BookItem[], query: string): Promise<Found[]> {
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
  const breathe = slicer()
  for (const item of items) {
    const turn = breathe()
    if (turn) await turn
    const best = wanted.map(() => 0)
    for (const term of termsOf(item))
      for (const [i, value] of likeness(term).entries()) best[i] = Math.max(best[i] ?? 0, value)
    const score = best.reduce((sum, value) => sum + value, 0) / best.length
    if (score >= LEAST_SCORE && Math.min(...best) >= LEAST_WORD)
      found.push({ ...item, score: Math.round(score * 1000) / 1000 })
  }
  return found.sort((a, b) => b.score - a.score || (a.item < b.item ? -1 : 1))
}
