import type { Jurisdiction, Rule } from './define'
import { NASHVILLE } from './jurisdictions/nashville'
import { PORTLAND_OR } from './jurisdictions/portland-or'
import { SPRINGFIELD_TN } from './jurisdictions/springfield-tn'
import { HOUSE } from './model/house'
import { OUTSIDE } from './model/outside'

/** The places whose own rules are here. */
export const JURISDICTIONS: readonly Jurisdiction[] = [NASHVILLE, SPRINGFIELD_TN, PORTLAND_OR]

/** The model code: what is asked where a place has no rule of its own. */
export const MODEL_RULES: readonly Rule[] = [...OUTSIDE, ...HOUSE]
export const MODEL_EDITION = '2021 IRC'

/** Ids are made the same way everywhere: country, state, city. */
export const idOf = (city: string, state: string): string =>
  `us-${state.toLowerCase()}-${city
    .trim()
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')}`

const plain = (city: string) => city.trim().toLowerCase().replace(/\s+/g, ' ')

/** A place with rules by its id, or by city and state; undefined when there are none. A city alone is not enough. */
export function findRules(name: string, state?: string | null): Jurisdiction | undefined {
  const asked = plain(name)
  return JURISDICTIONS.find(
    (place) => place.id === asked || (place.state === state?.trim().toUpperCase() && place.places.includes(asked)),
  )
}
