import type { Database } from '@/db/client'
import { contractorsBeginning, listPermitContractors } from '@/db/queries/permits/contractors'
import { companyKey } from '@/lib/knowledge/permits/street'
import { similarity, trigrams } from '../materials/search'

/** The most names that are searched for a misspelled one. The answer says so when there are more. */
const MOST_NAMES = 10_000
/** The most contractors whose permits are shown at once. */
const MOST_FOUND = 20
/** The least similarity of two words that count as a misspelling; below it they are different words. */
const LEAST_WORD = 0.4
const LEAST_SCORE = 0.55

export type ContractorMatch = {
  keys: string[]
  /** The way the name was matched: by its beginning, or by similarity because of typos. */
  by: 'beginning' | 'likeness' | 'none'
  companies: string[]
  /** True when every name was searched and every match is included. */
  complete: boolean
}

/**
 * Returns a function that scores a name: for each query word, the similarity of the closest word of the name, averaged; 0 when a
 * query word matches nothing. Each pair of words is compared only once.
 */
function scorer(asked: string[]): (key: string) => number {
  const wanted = asked.map(trigrams)
  const known = new Map<string, number[]>()
  const likeness = (word: string): number[] => {
    const found = known.get(word)
    if (found) return found
    const grams = trigrams(word)
    const made = wanted.map((each) => similarity(each, grams))
    known.set(word, made)
    return made
  }
  return (key) => {
    const best = wanted.map(() => 0)
    for (const word of key.split(' '))
      for (const [i, value] of likeness(word).entries()) best[i] = Math.max(best[i] ?? 0, value)
    return Math.min(...best) < LEAST_WORD ? 0 : best.reduce((sum, value) => sum + value, 0) / best.length
  }
}

/** Finds contractors whose name begins with the given one, or else by similarity. Case and legal forms (LLC, Inc.) are ignored. */
export async function matchContractors(
  db: Database,
  name: string,
  jurisdiction: string | undefined,
): Promise<ContractorMatch> {
  const prefix = companyKey(name)
  if (prefix === '') return { keys: [], by: 'none', companies: [], complete: true }
  const begun = await contractorsBeginning(db, { prefix, jurisdiction, limit: MOST_FOUND + 1 })
  const matchOf = (found: typeof begun, by: ContractorMatch['by'], complete: boolean): ContractorMatch => ({
    keys: found.slice(0, MOST_FOUND).map(({ key }) => key),
    by: found.length === 0 ? 'none' : by,
    companies: found.slice(0, MOST_FOUND).map(({ company }) => company),
    complete: complete && found.length <= MOST_FOUND,
  })
  if (begun.length > 0) return matchOf(begun, 'beginning', true)
  const names = await listPermitContractors(db, { jurisdiction, limit: MOST_NAMES + 1 })
  const score = scorer([...new Set(prefix.split(' '))].slice(0, 10))
  const scored = names.slice(0, MOST_NAMES).map((each) => ({ each, score: score(each.key) }))
  const found = scored.filter(({ score }) => score >= LEAST_SCORE).sort((a, b) => b.score - a.score)
  return matchOf(
    found.map(({ each }) => each),
    'likeness',
    names.length <= MOST_NAMES,
  )
}
