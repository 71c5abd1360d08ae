import type { FoundRow } from '@/db/queries/find'
import { mistakes } from '../retrieval/spelling'
import { wordsIn } from './words'

/** A record that was found, and how well it fits: 1 where everything asked for is there as it was written. */
export type Ranked = FoundRow & { fit: number }

/** What a word is worth by how it was met. A customer is looked for oftener than what is theirs. */
const WORTH = { exact: 1, beginning: 0.85, misspelled: 0.6, inStreet: 0.9 }
const KIND: Record<FoundRow['type'], number> = {
  customer: 0,
  project: 0.01,
  lead: 0.01,
  invoice: 0.02,
  estimate: 0.03,
  payment: 0.04,
}

function likeness(wanted: string, word: string): number {
  if (word === wanted) return WORTH.exact
  if (wanted.length > 1 && word.startsWith(wanted)) return WORTH.beginning
  // Of a name as long as this one mistake leaves most of it; two are more than the search looks for.
  return wanted.length > 2 && mistakes(wanted, word) === 1 ? WORTH.misspelled : 0
}

/** How well a record has the words, 0 to 1: each by its best place, and a title that says little else before one that says much. */
export function fitOf(words: readonly string[], row: FoundRow): number {
  if (words.length === 0) return 0
  const [title, street] = [wordsIn(row.title), wordsIn(row.street ?? '')]
  const met = words.map((wanted) =>
    Math.max(
      0,
      ...title.map((word) => likeness(wanted, word)),
      ...street.map((word) => likeness(wanted, word) * WORTH.inStreet),
    ),
  )
  const share = Math.min(1, words.length / Math.max(1, title.length))
  return (met.reduce((sum, each) => sum + each, 0) / words.length) * (0.9 + 0.1 * share)
}

/** The best first; of those that fit alike customers before what is theirs, then the newest. */
export const byFit = (a: Ranked, b: Ranked): number =>
  b.fit - KIND[b.type] - (a.fit - KIND[a.type]) || (b.at ?? '').localeCompare(a.at ?? '') || a.id.localeCompare(b.id)
