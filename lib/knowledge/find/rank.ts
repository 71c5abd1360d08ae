import type { FoundRow } from '@/db/queries/find'
import { mistakes } from '@/lib/core/nearest'
import { wordsIn } from './words'

/** A found record and how well it matches: 1 when it has every word exactly. */
export type Ranked = FoundRow & { fit: number }

/** The weight of a word by how it matches. Customers rank higher because people search for them more often than for their records. */
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
  if (word.startsWith(wanted)) return WORTH.beginning
  // Candidates have at most one typo per word.
  return wanted.length > 2 && mistakes(wanted, word) === 1 ? WORTH.misspelled : 0
}

/** Returns how well a record matches the words, 0 to 1: by its title, or a lead by who wrote it. */
export const fitOf = (words: readonly string[], { title, person, street }: FoundRow): number =>
  Math.max(fitOfName(words, title, street), person === null ? 0 : fitOfName(words, person, street))

/** Returns how well a name and a street match the words: each word by its best match; a name with few other words ranks higher. */
function fitOfName(words: readonly string[], name: string, place: string | null): number {
  if (words.length === 0) return 0
  const [title, street] = [wordsIn(name), wordsIn(place ?? '')]
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

/** Sorts by match, then customers before their records, then the newest first. */
export const byFit = (a: Ranked, b: Ranked): number =>
  b.fit - KIND[b.type] - (a.fit - KIND[a.type]) || (b.at ?? '').localeCompare(a.at ?? '') || a.id.localeCompare(b.id)
