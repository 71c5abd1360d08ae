import type { Database } from '@/db/client'
import type { Jurisdiction } from '@/db/queries/permits/jurisdictions'
import { hasPermitType } from '@/db/queries/permits/search'

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))

/** The shortest text that is looked for within words: `reroof` is in `Residential Re-Roof`. */
const LEAST_WITHIN = 4

/** Returns the terms that a word of another kind is part of: `Deck`, `decks` of `Residential Deck`. */
export function typesLike(asked: string, terms: string[]): string[] {
  const wanted = wordsOf(asked)
  const whole = wanted.join('')
  return terms.filter((term) => {
    const words = wordsOf(term)
    const isWithin = whole.length >= LEAST_WITHIN && words.join('').includes(whole)
    return wanted.length > 0 && (isWithin || wanted.every((word) => words.some((each) => each.startsWith(word))))
  })
}

/** The offices' terms for permit types, the most frequent first. */
export const termsOf = (jurisdictions: Jurisdiction[]): string[] => [
  ...new Set(jurisdictions.flatMap(({ permitTypes }) => permitTypes.map(({ value }) => value))),
]

/**
 * Returns the types that are meant by one: itself where permits have it, else the offices' terms that it is part of; none when
 * there is no such type.
 */
export async function meantTypes(db: Database, jurisdictions: Jurisdiction[], asked: string): Promise<string[]> {
  const terms = termsOf(jurisdictions)
  if (terms.some((term) => term.toLowerCase() === asked.toLowerCase())) return [asked]
  const [only, ...others] = jurisdictions
  if (await hasPermitType(db, others.length > 0 ? undefined : only?.id, asked)) return [asked]
  return typesLike(asked, terms)
}

/** The most terms that a sentence names. */
const MOST_NAMED = 20

/** Says that no permit is of a type, and which types there are. */
export function noSuchType(asked: string, jurisdictions: Jurisdiction[]): string {
  const terms = termsOf(jurisdictions).slice(0, MOST_NAMED)
  const there = terms.length === 0 ? 'None is named there.' : `Types there are: ${terms.join(', ')}.`
  return `No loaded permit is of the type ${asked}. ${there}`
}
