import { parseState } from '@/lib/core/contact'
import { ServiceError } from '@/lib/core/errors'
import { oneLine } from '@/lib/core/text'
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

/** Reports whether a place is a state, standing in for a city that has no rules here. */
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

/** A name in lower case, without what stands before a city's name; a dash within a name is a space, those of an id stay. */
function plain(name: string): string {
  const text = oneLine(name).toLowerCase()
  if (/^us-[a-z]/.test(text)) return text
  return text.replace(/[-–—]/g, ' ').replace(/^(?:the )?(?:city of|metropolitan|metro) /, '')
}

/** The state of an id such as us-ca-fresno, for places without rules of their own. */
const stateInId = (id: string) => /^us-([a-z]{2})(?:-|$)/.exec(id)?.[1]

/** Names that are a state's and a well-known city's; alone they name neither. */
const STATE_OR_CITY: readonly string[] = ['new york', 'washington']

/** The state of that name or id. A name counts only where nothing says which state a city of that name lies in. */
const stateNamed = (asked: string, code: string | undefined): State | undefined =>
  STATES.find(
    ({ id, name }) => id === asked || (code === undefined && plain(name) === asked && !STATE_OR_CITY.includes(asked)),
  )

/** The most words of a state's name. */
const MOST_STATE_WORDS = 3

/** A city and its state written in one: `Nashville, TN 37206`, `nashville tn`, `Portland Oregon`; without a state when none is written. */
function cityAndState(name: string): { city: string; state?: string } {
  const text = oneLine(name).replace(/ \d{5}(?:-\d{4})?$/, '')
  const comma = text.lastIndexOf(',')
  const written = comma > 0 ? parseState(text.slice(comma + 1)) : undefined
  if (written) return { city: text.slice(0, comma), state: written }
  if (parseState(text)) return { city: text }
  const words = text.split(' ')
  for (let count = Math.min(MOST_STATE_WORDS, words.length - 1); count > 0; count--) {
    const last = words.slice(-count).join(' ')
    const state = STATE_OR_CITY.includes(last.toLowerCase()) ? undefined : parseState(last)
    if (state) return { city: words.slice(0, -count).join(' '), state }
  }
  return { city: text }
}

/**
 * Finds the rules of a place by its id, or by city or county and state (also as `Nashville, TN` or `nashville tn`): the city's own, or those of its state, or
 * undefined when neither are here. A state within the name or id counts before `state`. A city alone is not enough, because names
 * repeat across states. A state is found by its id, its two letters, or its name where no city is called that.
 */
export function findRules(name: string, state?: string | null): Place | undefined {
  const { city, state: inName } = cityAndState(name)
  if (inName) return findRules(city, inName)
  const asked = plain(city)
  const code = (stateInId(asked) || state?.trim() || undefined)?.toUpperCase()
  const own = JURISDICTIONS.find(
    (place) => place.id === asked || (place.state === code && place.places.includes(asked)),
  )
  const bare = asked.replace(/^us-[a-z]{2}-/, '').replaceAll('-', ' ')
  return own ?? stateNamed(asked, code) ?? STATES.find((one) => one.state === code && !one.except.includes(bare))
}

/** A place that somebody named, and what was taken for granted with it. */
export type Named = { place: Place | undefined; assumed: string | undefined }

/**
 * Finds the rules of a place as somebody named it, where a state beside it may be missing.
 * @throws ServiceError `bad_request` with a question, where rules depend on the state and none is told
 */
export function namedPlace(name: string | undefined, state?: string | null): Named {
  const place = findRules(name ?? '', state)
  const told = name === undefined || place !== undefined || state || stateInId(plain(name)) || cityAndState(name).state
  if (told) return { place, assumed: undefined }
  const own = JURISDICTIONS.filter(({ places }) => places.includes(plain(name)))
  const [only] = own
  if (own.length === 1 && only?.isMeantAlone)
    return {
      place: only,
      assumed: `${oneLine(name)} was taken for ${only.name}; give the state where another is meant.`,
    }
  const here = own.length > 0 ? ` Here are the rules of ${own.map((each) => each.name).join(', ')}.` : ''
  throw new ServiceError(
    'bad_request',
    `Which state is ${oneLine(name)} in? Rules go by the state, and names repeat.${here} Ask the user, and give the city with its state, such as Nashville, TN.`,
  )
}
