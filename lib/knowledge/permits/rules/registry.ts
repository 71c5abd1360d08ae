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

/** Names that are a state's and a well-known city's; alone they name neither. */
const STATE_OR_CITY: readonly string[] = ['new york', 'washington']

/** The state of that name or id. A name counts only where nothing says which state a city of that name lies in. */
const stateNamed = (asked: string, code: string | undefined): State | undefined =>
  STATES.find(
    ({ id, name }) => id === asked || (code === undefined && plain(name) === asked && !STATE_OR_CITY.includes(asked)),
  )

/**
 * Finds the rules of a place by its id, or by city and state (also as `Nashville, TN`): the city's own, or those of its state, or
 * undefined when neither are here. A state within the name or id counts before `state`. A city alone is not enough, because names
 * repeat across states. A state is found by its id, its two letters, or its name where no city is called that.
 */
export function findRules(name: string, state?: string | null): Place | undefined {
  const [, city, inName] = /^(.+),\s*([a-z]{2})$/i.exec(name.trim()) ?? []
  if (city && inName) return findRules(city, inName)
  const asked = plain(name)
  const code = (stateInId(asked) || state?.trim() || undefined)?.toUpperCase()
  const own = JURISDICTIONS.find(
    (place) => place.id === asked || (place.state === code && place.places.includes(asked)),
  )
  const bare = asked.replace(/^us-[a-z]{2}-/, '').replaceAll('-', ' ')
  return own ?? stateNamed(asked, code) ?? STATES.find((one) => one.state === code && !one.except.includes(bare))
}
