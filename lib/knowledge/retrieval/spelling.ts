import type { Database } from '@/db/client'
import type { Reader, ResolvedTerm } from '@/db/queries/search'
import { findIndexedWords, type IndexedWord, wordsBeginning } from '@/db/queries/search-words'
import { mistakes } from '@/lib/core/nearest'

/** A query word that no document contains, and the word it was replaced with. */
export type Correction = { from: string; to: string }

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'
/** The lengths corrected: shorter words are one letter away from too many others, and longer strings are rarely words. */
const SHORTEST = 4
const LONGEST = 24
/** The least length of words that may have two mistakes, if their first letters are right. */
const LONG = 7
const BEGINNING = 3
const MOST_BEGINNING = 3_000
/** The most words of a query that are corrected, the longest first, because they tell the most: each costs hundreds of lookups. */
const MOST_CORRECTED = 6

/** Returns every text one edit away from a word: a letter removed, two adjacent ones swapped, one replaced, one added. */
export function oneMistakeAway(word: string): string[] {
  const found = new Set<string>()
  for (let i = 0; i <= word.length; i++) {
    const [before, after] = [word.slice(0, i), word.slice(i)]
    if (after) found.add(before + after.slice(1))
    if (after.length > 1) found.add(`${before}${after[1]}${after[0]}${after.slice(2)}`)
    for (const letter of ALPHABET) {
      if (after) found.add(before + letter + after.slice(1))
      found.add(before + letter + after)
    }
  }
  found.delete(word)
  return [...found]
}

/** Returns the word whose stem occurs in the most chunks, with that stem's posting lists on every shelf. */
function commonest(found: IndexedWord[]): { word: string; lexeme: string; lists: ResolvedTerm['lists'] } | undefined {
  const stems = new Map<string, IndexedWord[]>()
  for (const known of found) stems.set(known.lexeme, [...(stems.get(known.lexeme) ?? []), known])
  let best: { word: string; lexeme: string; lists: ResolvedTerm['lists']; chunks: number } | undefined
  for (const [lexeme, words] of stems) {
    const lists = [...new Map(words.map(({ term, shelf, chunks }) => [term, { term, shelf, chunks }])).values()]
    const chunks = lists.reduce((sum, list) => sum + list.chunks, 0)
    if (!best || chunks > best.chunks) best = { word: words[0]?.word ?? lexeme, lexeme, lists, chunks }
  }
  return best
}

/** Returns the nearest word for each of some words, from one statement for all that are one edit away from any of them. */
async function nearest(
  db: Database,
  reader: Reader,
  words: string[],
): Promise<Map<string, ReturnType<typeof commonest>>> {
  if (words.length === 0) return new Map()
  const away = words.map((word) => new Set(oneMistakeAway(word)))
  const known = await findIndexedWords(db, reader, [...new Set(away.flatMap((some) => [...some]))])
  const found = words.map(async (word, i) => {
    const near = commonest(known.filter((each) => away[i]?.has(each.word)))
    if (near || word.length < LONG) return near
    const like = { beginning: word.slice(0, BEGINNING), shortest: word.length - 2, longest: word.length + 2 }
    const alike = await wordsBeginning(db, reader, { ...like, limit: MOST_BEGINNING })
    return commonest(alike.filter((each) => mistakes(word, each.word) === 2))
  })
  const ofEach = await Promise.all(found)
  return new Map(words.map((word, i) => [word, ofEach[i]]))
}

const wordOf = ({ words: [word = ''] }: ResolvedTerm): string => word
const lengthOf = (term: ResolvedTerm): number => wordOf(term).length

/** Reports whether a word of the query occurs nowhere and is of the kind that people mistype. */
function isCorrectable(term: ResolvedTerm): boolean {
  const word = wordOf(term)
  return term.lists.length === 0 && word.length >= SHORTEST && word.length <= LONGEST && !/\d/.test(word)
}

/**
 * Replaces words that no readable document contains with the nearest word that occurs: one edit away, or two for long words whose
 * first three letters match. Of several, the word in the most chunks wins. Words with no near match stay unchanged, and so do all
 * but the longest {@link MOST_CORRECTED}.
 */
export async function correctTerms(
  db: Database,
  reader: Reader,
  terms: ResolvedTerm[],
): Promise<{ terms: ResolvedTerm[]; corrections: Correction[] }> {
  const unknown = terms.filter(isCorrectable).sort((a, b) => lengthOf(b) - lengthOf(a))
  const chosen = unknown.slice(0, MOST_CORRECTED)
  const nearestTo = await nearest(db, reader, chosen.map(wordOf))
  const corrections: Correction[] = []
  const corrected = terms.map((term) => {
    const from = wordOf(term)
    const near = chosen.includes(term) ? nearestTo.get(from) : undefined
    if (!near) return term
    corrections.push({ from, to: near.word })
    return { ...term, lexeme: near.lexeme, words: [near.word], lists: near.lists }
  })
  return { terms: corrected, corrections }
}
