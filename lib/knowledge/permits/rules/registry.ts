import type { Jurisdiction, Rule, State } from './define'
import { NASHVILLE } from './jurisdictions/nashville'
import { PORTLAND_OR } from './jurisdictions/portland-or'
import { SPRINGFIELD_TN } from './jurisdictions/springfield-tn'
import { HOUSE } from './model/house'
import { LOT } from './model/lot'
import { OUTSIDE } from './model/outside'
import { SYSTEMS } from './model/systems'
import { CALIFORNIA } from './states/california'
import { COLORADO, TENNESSEE, TEXAS } from './states/local-option'
import { NEW_YORK } from './states/new-york'
import { OREGON } from './states/oregon'
import { FLORIDA, WASHINGTON } from './states/statewide'

/** The jurisdictions that have their own rules here. */
export const JURISDICTIONS: readonly Jurisdiction[] = [NASHVILLE, SPRINGFIELD_TN, PORTLAND_OR]

/** The states that have rules here. */
export const STATES: readonly State[] = [CALIFORNIA, TEXAS, FLORIDA, TENNESSEE, OREGON, WASHINGTON, NEW_YORK, COLORADO]

/** A place that rules can be looked up for: a city or county, or a state where the city has none here. */
export type Place = Jurisdiction | State

/** Whether a place is a state, standing in for a city that has no rules here. */
export const isState = (place: Place): place is State => !('places' in place)

/** The state above a city's rules; undefined for a state itself and where the state has no rules here. */
export const stateOf = (place: Place | undefined): State | undefined =>
  place === undefined || isState(place) ? undefined : STATES.find(({ state }) => state === place.state)

/** The model code, used where a jurisdiction has no rule of its own. */
export const MODEL_RULES: readonly Rule[] = [...OUTSIDE, ...LOT, ...HOUSE, ...SYSTEMS]
export const MODEL_EDITION = '2021 IRC'

/** Builds a jurisdiction id from country, state and city. */
export const idOf = (city: string, state: string): string =>
  `us-${state.toLowerCase()}-${city
    .trim()
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')}`

const plain = (city: string) => city.trim().toLowerCase().replace(/\s+/g, ' ')

/** The state of an id such as us-ca-fresno, for places without rules of their own. */
const stateInId = (id: string) => /^us-([a-z]{2})(?:-|$)/.exec(id)?.[1]

/**
 * Finds the rules of a place by its id, or by city and state (also as `Nashville, TN`): the city's own, or those of its state, or
 * undefined when neither are here. A city alone is not enough, because names repeat across states. A state is found by its name or id.
 */
export function findRules(name: string, state?: string | null): Place | undefined {
  const [, city, inName] = /^(.+),\s*([a-z]{2})$/i.exec(name.trim()) ?? []
  if (city && inName && !state) return findRules(city, inName)
  const asked = plain(name)
  const code = (state?.trim() || stateInId(asked))?.toUpperCase()
  const own = JURISDICTIONS.find(
    (place) => place.id === asked || (place.state === code && place.places.includes(asked)),
  )
  const bare = asked.replace(/^us-[a-z]{2}-/, '').replaceAll('-', ' ')
  return (
    own ??
    STATES.find((one) => one.id === asked || plain(one.name) === asked) ??
    STATES.find((one) => one.state === code && !one.except.includes(bare))
  )
}
