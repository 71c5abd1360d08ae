import type { Database } from '@/db/client'
import { putDocuments, type SourceDocument } from '@/db/queries/documents'

const VOCABULARY = 30_000
const WORDS_PER_CHUNK = 80
export const CHUNKS_PER_DOCUMENT = 10
const DOCUMENTS_AT_ONCE = 50

/** A seeded random number generator (mulberry32), so that every run sees the same numbers. */
export function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const SYLLABLES = 'ba co di fu ga lo mi nu pa ro si tu va we zo bri cla dro fle gra plo ska tri'.split(' ')

/** Returns the vocabulary's word at a rank, most frequent first, built from syllables and unique. */
export function word(rank: number): string {
  let text = ''
  for (let left = rank + SYLLABLES.length; left > 0; left = Math.floor(left / SYLLABLES.length))
    text += SYLLABLES[left % SYLLABLES.length]
  return `${text}k`
}

/** Draws ranks with the frequencies of real text: the n-th in proportion to 1 / (n + 2.7) (Zipf and Mandelbrot). */
export function makeRanks(random: () => number): () => number {
  const sums = new Float64Array(VOCABULARY)
  let sum = 0
  for (let i = 0; i < VOCABULARY; i++) {
    sum += 1 / (i + 1 + 2.7)
    sums[i] = sum
  }
  return () => {
    const target = random() * sum
    let low = 0
    let high = VOCABULARY - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < target) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Creates a document of ten chunks of about eighty words. */
export function makeDocument(reference: string, rank: () => number, random: () => number): SourceDocument {
  const words = (n: number) => Array.from({ length: n }, () => word(rank())).join(' ')
  return {
    type: 'document',
    reference,
    title: words(6),
    link: null,
    untrusted: false,
    chunks: Array.from({ length: CHUNKS_PER_DOCUMENT }, () => ({
      heading: words(4),
      text: words(WORDS_PER_CHUNK / 2 + Math.floor(random() * WORDS_PER_CHUNK)),
    })),
  }
}

/** Puts `chunks` chunks into an owner's shelf, as a load would. */
export async function fill(db: Database, owner: string, chunks: number, seed: number): Promise<void> {
  const random = makeRandom(seed)
  const rank = makeRanks(random)
  const documents = chunks / CHUNKS_PER_DOCUMENT
  for (let from = 0; from < documents; from += DOCUMENTS_AT_ONCE) {
    const count = Math.min(DOCUMENTS_AT_ONCE, documents - from)
    const batch = Array.from({ length: count }, (_, i) => makeDocument(`d${from + i}`, rank, random))
    await putDocuments(db.orm, owner, batch)
  }
}
