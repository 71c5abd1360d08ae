import type { Jurisdiction, Rule } from './define'
import { NASHVILLE } from './jurisdictions/nashville'
import { PORTLAND_OR } from './jurisdictions/portland-or'
import { SPRINGFIELD_TN } from './jurisdictions/springfield-tn'
import { HOUSE } from './model/house'
import { OUTSIDE } from './model/outside'

/** The jurisdictions that have their own rules here. */
export const JURISDICTIONS: readonly Jurisdiction[] = [NASHVILLE, SPRINGFIELD_TN, PORTLAND_OR]

/** The model code, used where a jurisdiction has no rule of its own. */
export const MODEL_RULES: readonly Rule[] = [...OUTSIDE, ...HOUSE]
export const MODEL_EDITION = '2021 IRC'

/** Builds a jurisdiction id from country, state and city. */
export const idOf = (city: string, state: string): string =>
  `us-${state.toLowerCase()}-${city
    .trim()
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')}`

const plain = (city: string) => city.trim().toLowerCase().replace(/\s+/g, ' ')

/**
 * Finds a jurisdiction with rules by its id, or by city and state (also as `Nashville, TN`); undefined when there is none. A city alone is not enough,
 * because names repeat across states.
 */
export function findRules(name: string, state?: string | null): Jurisdiction | undefined {
  const [, city, inName] = /^(.+),\s*([a-z]{2})$/i.exec(name.trim()) ?? []
  if (city && inName && !state) return findRules(city, inName)
  const asked = plain(name)
  return JURISDICTIONS.find(
    (place) => place.id === asked || (place.state === state?.trim().toUpperCase() && place.places.includes(asked)),
  )
}
