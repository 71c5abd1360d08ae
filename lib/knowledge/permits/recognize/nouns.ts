import type { WorkType } from '../rules/work-types'
import { VERBS } from './grammar-words'
import type { Found } from './lexicon'

/** Structures that demolition takes down as a whole; taking out anything smaller belongs to the work that replaces it. */
export const STRUCTURES: ReadonlySet<WorkType> = new Set([
  'accessory_structure',
  'deck',
  'pool',
  'new_dwelling',
  'patio_cover',
  'adu',
  'addition',
  'retaining_wall',
  'fence',
])

/** The work that only bears other work. */
const BASE: ReadonlySet<WorkType> = new Set(['foundation'])

/** The work that may itself be added: a deck addition is a deck. */
const ADDED: ReadonlySet<WorkType> = new Set(['deck', 'pool', 'patio_cover', 'hot_tub', 'accessory_structure', 'fence'])

/** A noun of a clause: the head, the noun before it, where it stands, and whether it was there before. */
export type Noun = {
  part: Found
  modifier: Found | undefined
  place: 'none' | 'link' | 'place'
  existing: boolean
}

export const isNoun = ({ sense }: Found): boolean =>
  sense.is === 'work' || sense.is === 'thing' || sense.is === 'not_meant' || sense.is === 'not_work'

const isWork = ({ sense }: Found, types: ReadonlySet<WorkType>) => sense.is === 'work' && types.has(sense.workType)

/** Verbs, and chargers of cars: whatever stands beside one (`outlet for EV`), it is the work. */
const standsAlone = ({ phrase, sense }: Found) =>
  VERBS.includes(phrase) || (sense.is === 'work' && sense.workType === 'ev_charger')

const isAct = (part: Found | undefined) => part?.sense.is === 'act'

/** Reports whether a word may be a thing that no table knows. */
const isUnknown = (part: Found | undefined) =>
  part?.sense.is === 'unknown' || part?.sense.is === 'not_meant' || part?.sense.is === 'not_work'

/** The first word from a place on that is no act; looks past two, because no phrase has more. */
const beyondActs = (parts: readonly Found[], at: number) =>
  parts.slice(at, at + 3).find(({ sense }) => sense.is !== 'act')

/**
 * Reports whether a noun is said of something that is no building: the deck of a ship, an addition to the team. What is added tells nothing
 * by itself, so it counts whatever is done.
 */
const isOfOther = (parts: readonly Found[], at: number, acting: boolean): boolean => {
  const [before, part, next] = [parts[at - 1], parts[at], parts[at + 1]]
  const object = beyondActs(parts, at + 2)
  const isAddition = part?.phrase === 'addition'
  if (isAddition && (before?.sense.is === 'unknown' ? !acting : isUnknown(before))) return true
  return next?.sense.is === 'link' && isUnknown(object) && (isAddition || (!acting && next.phrase === 'of'))
}

/** The place where the words so far say that what follows stands. */
type Where = { place: Noun['place']; from: boolean; existing: boolean; acting: boolean }

function after(where: Where, { phrase, sense }: Found, before: Found | undefined): Where {
  switch (sense.is) {
    case 'place':
      return { ...where, place: 'place', from: phrase === 'from' }
    case 'link':
      return { ...where, place: where.place === 'none' || where.from ? 'link' : where.place }
    case 'act':
      // `Siding on new addition`: what is new stands where the siding is.
      return {
        ...where,
        place:
          before?.sense.is === 'link' || (sense.act === 'new' && before?.sense.is === 'place') ? where.place : 'none',
      }
    case 'existing':
      return { ...where, existing: true }
    default:
      return where
  }
}

/**
 * Reads a noun between its neighbors; undefined where it only says of which kind the next one is, or where a word that we do not know
 * follows, which may be the head: a `deck chair` is a chair, and who replaces a `pool umbrella` replaces no pool.
 */
function nounAt(
  part: Found,
  before: Found | undefined,
  next: Found | undefined,
  { place, existing, acting }: Where,
): Noun | undefined {
  if (isUnknown(next) && (!acting || next?.sense.is === 'unknown')) return undefined
  if (standsAlone(part) && place !== 'place') return { part, modifier: undefined, place: 'none', existing }
  const modifier = before && isNoun(before) ? before : undefined
  if (part.phrase === 'addition' && modifier && isWork(modifier, ADDED))
    return { part: modifier, modifier: undefined, place, existing }
  return next && isNoun(next) ? undefined : { part, modifier, place, existing }
}

/**
 * Leaves the nouns that are the work: those that stand in no place, else those a link leads to, unless something we do not know is what is
 * `done` (`add chlorine to pool`). Footings for a deck are the deck's.
 */
function chosen(nouns: readonly Noun[], done: boolean): Noun[] {
  const told = nouns.filter(({ part }) => part.sense.is !== 'not_meant' && part.sense.is !== 'not_work')
  const direct = told.filter(({ place }) => place === 'none')
  const linked = told.filter(({ place }) => place === 'link')
  const borne = linked.filter(({ part }) => isWork(part, STRUCTURES))
  const isBase = direct.length > 0 && direct.every(({ part }) => isWork(part, BASE))
  if (isBase && borne.length > 0) return borne
  if (direct.length > 0 || done) return direct
  return nouns.some(({ part, place }) => part.sense.is === 'not_work' && place === 'none') ? [] : linked
}

/**
 * Returns the nouns of a clause that are its work. In a run of nouns the last is the head (`pool fence` is a fence); a noun after a
 * word of place says where the work is, and one after a denial that it is none of it.
 */
export function nounsOf(parts: readonly Found[], acting: boolean): Noun[] {
  const nouns: Noun[] = []
  let where: Where = { place: 'none', from: false, existing: false, acting }
  let isDone = false
  for (const [i, part] of parts.entries()) {
    if (part.sense.is === 'denial') break
    where = after(where, part, parts[i - 1])
    if (isUnknown(part) && where.place === 'none' && isAct(parts[i - 1])) isDone = true
    if (!isNoun(part)) continue
    const next = parts[i + 1]
    const noun = nounAt(part, parts[i - 1], next, where)
    if (
      noun &&
      !isOfOther(parts, i, where.acting) &&
      !(isAct(next) && beyondActs(parts, i + 1)?.sense.is === 'not_work')
    )
      nouns.push(noun)
    if (!(next && isNoun(next))) where = { ...where, existing: false }
  }
  return chosen(nouns, isDone)
}
