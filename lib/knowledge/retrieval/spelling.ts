import type { Database } from '@/db/client'
import type { AskedTerm, Reader } from '@/db/queries/search'
import { type KnownWord, knownWords, wordsBeginning } from '@/db/queries/search-words'

/** What a word of the query was taken for, because no document holds it. */
export type Correction = { from: string; to: string }

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'
/** Shorter words are one letter from too many others; longer ones are hardly words. */
const SHORTEST = 4
const LONGEST = 24
/** From this length on two mistakes are looked for, among words that begin with the same letters. */
const LONG = 7
const BEGINNING = 3
const MOST_BEGINNING = 3_000

/** Every text one mistake away from a word: a letter left out, two exchanged, one wrong, one too many. */
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

/** Mistakes between two words: letters wrong, missing, too many or exchanged with their neighbor (optimal string alignment). */
export function mistakes(a: string, b: string): number {
  let older: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (older[j - 2] ?? 0) + 1)
      row.push(least)
    }
    older = last
    last = row
  }
  return last[b.length] ?? 0
}

/** Of the words found the one whose stem stands in most chunks, with the lists of that stem on every shelf. */
function commonest(found: KnownWord[]): { word: string; lexeme: string; lists: AskedTerm['lists'] } | undefined {
  const stems = new Map<string, KnownWord[]>()
  for (const known of found) stems.set(known.lexeme, [...(stems.get(known.lexeme) ?? []), known])
  let best: { word: string; lexeme: string; lists: AskedTerm['lists']; chunks: number } | undefined
  for (const [lexeme, words] of stems) {
    const lists = [...new Map(words.map(({ term, shelf, chunks }) => [term, { term, shelf, chunks }])).values()]
    const chunks = lists.reduce((sum, list) => sum + list.chunks, 0)
    if (!best || chunks > best.chunks) best = { word: words[0]?.word ?? lexeme, lexeme, lists, chunks }
  }
  return best
}

async function nearest(db: Database, reader: Reader, word: string) {
  const near = commonest(await knownWords(db, reader, oneMistakeAway(word)))
  if (near || word.length < LONG) return near
  const like = { beginning: word.slice(0, BEGINNING), shortest: word.length - 2, longest: word.length + 2 }
  const alike = await wordsBeginning(db, reader, { ...like, limit: MOST_BEGINNING })
  return commonest(alike.filter((known) => mistakes(word, known.word) === 2))
}

/**
 * Puts the nearest known word in the place of each that no readable document holds: one mistake away, for long words two, where
 * the first three letters are right. Of several the one in most chunks. What nothing is near to stays as it is.
 */
export async function correctTerms(
  db: Database,
  reader: Reader,
  terms: AskedTerm[],
): Promise<{ terms: AskedTerm[]; corrections: Correction[] }> {
  const corrections: Correction[] = []
  const corrected = await Promise.all(
    terms.map(async (term) => {
      const [word = ''] = term.words
      const isCorrectable =
        term.lists.length === 0 && word.length >= SHORTEST && word.length <= LONGEST && !/\d/.test(word)
      const near = isCorrectable ? await nearest(db, reader, word) : undefined
      if (!near) return term
      corrections.push({ from: word, to: near.word })
      return { ...term, lexeme: near.lexeme, words: [near.word], lists: near.lists }
    }),
  )
  return { terms: corrected, corrections }
}
