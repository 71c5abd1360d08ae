import type { WorkType } from '../rules/work-types'
import { type Acts, actsIn, actsOf, carriedOn, saysItsAct, some } from './acts'
import type { Act } from './grammar-words'
import type { Clause, Found, Readings } from './lexicon'
import { isNoun, type Noun, nounsOf, STRUCTURES } from './nouns'

/** A kind of work read from a clause, and the phrases of our tables that told it. */
export type Reading = {
  workType: WorkType
  words: string[]
  /** Counts only where nothing else is found. */
  weak?: true
}

/** Acts after which something stands where the old was, so that removal is not all. */
const PUTS_BACK: readonly Act[] = ['new', 'install', 'build', 'replace', 'add']

const saidBy = (workType: WorkType, ...words: (string | undefined)[]): Reading => ({
  workType,
  words: words.filter((word) => word !== undefined),
})

/** Types of work that leave nothing to ask about when they are taken out. */
const TAKEN_OUT: ReadonlySet<WorkType> = new Set(['hot_tub', 'flatwork'])

/** Reads what names a kind of work by itself: painting it is finish work, servicing it none, taking a structure down demolition. */
function readWork(workType: WorkType, phrase: string, acts: Acts, restored: boolean): Reading | undefined {
  if (acts.has('service')) return undefined
  if (acts.has('surface')) return saidBy('finish_work', acts.get('surface'), phrase)
  if (some(acts, ['demolish', 'remove']) && !restored && !acts.has('move') && TAKEN_OUT.has(workType)) return undefined
  if (acts.has('convert') && STRUCTURES.has(workType)) return undefined
  if (acts.has('demolish') && !restored && (STRUCTURES.has(workType) || workType === 'foundation'))
    return saidBy('demolition', acts.get('demolish'), phrase)
  if (acts.has('remove') && !restored && STRUCTURES.has(workType))
    return saidBy('demolition', acts.get('remove'), phrase)
  return saidBy(workType, phrase)
}

/** Reads a thing with what is done to it, the telling acts first. */
function readThing(readings: Readings, phrase: string, acts: Acts): Reading | undefined {
  if (acts.has('service')) return undefined
  if (acts.has('surface')) return saidBy('finish_work', acts.get('surface'), phrase)
  const order: Act[] = [
    'demolish',
    'expand',
    'convert',
    'finish',
    'remodel',
    'enclose',
    'open',
    'remove',
    'move',
    'add',
    'build',
    'replace',
    'install',
    'pour',
    'level',
    'repair',
    'new',
  ]
  for (const act of order) {
    const workType = acts.has(act) ? readings[act] : undefined
    if (workType !== undefined) return saidBy(workType, acts.get(act), phrase)
  }
  return undefined
}

/** A roof that is built over something is a cover of it, not a new covering of the house's roof. */
const coverOf = ({ phrase, sense }: Found): Reading | undefined =>
  sense.is === 'work' && sense.workType === 'reroof' ? saidBy('patio_cover', phrase, 'over') : undefined

/** Reports whether a clause says that something is built over something. */
const buildsOver = (parts: readonly Found[], acts: Acts): boolean =>
  some(acts, ['build', 'add']) &&
  !some(acts, ['replace', 'repair']) &&
  parts.some(({ phrase, sense }) => sense.is === 'place' && phrase === 'over')

const readNoun = ({ phrase, sense }: Found, acts: Acts, restored: boolean): Reading | undefined =>
  sense.is === 'work'
    ? readWork(sense.workType, phrase, acts, restored)
    : sense.is === 'thing'
      ? readThing(sense.readings, phrase, acts)
      : undefined

/** Acts that say something of what already stands; without one of them an existing thing is only where the work is. */
const TO_EXISTING: readonly Act[] = [
  'replace',
  'repair',
  'remove',
  'demolish',
  'convert',
  'finish',
  'remodel',
  'move',
  'open',
  'enclose',
  'level',
  'surface',
  'pour',
]

const has = (parts: readonly Found[], is: Found['sense']['is']) => parts.some(({ sense }) => sense.is === is)

/**
 * The phrase that names an addition by what it is added to (`addition of 300 ft2 to the house`) only where it does not name what is added
 * (`of two outlets`).
 */
const ADDED_TO = 'addition of'

/** Reads a noun with what is done to it. A head that tells nothing leaves it to the word before: a townhome building is a townhome. */
function readWithin({ part, modifier, existing, place }: Noun, isOver: boolean, acts: Acts, restored: boolean) {
  if (
    place === 'link' &&
    acts.get('add') === ADDED_TO &&
    part.sense.is === 'thing' &&
    part.sense.readings.expand === 'addition'
  )
    return saidBy('addition', ADDED_TO, part.phrase)
  if (existing && !some(acts, TO_EXISTING)) return undefined
  const read = (isOver ? coverOf(part) : undefined) ?? readNoun(part, acts, restored)
  if (read === undefined && part.sense.is === 'thing' && modifier) return readNoun(modifier, acts, restored)
  return read
}

/**
 * The facts a sentence states of its clauses: whether something is put back, whether a dwelling unit is made of something, and whether the
 * clause that this one is joined to ends with where the work is (`on garage and house`).
 */
type Whole = { restored: boolean; toAdu: boolean; placed: boolean }

function readClause(parts: readonly Found[], own: Acts, acts: Acts, { restored, toAdu, placed }: Whole): Reading[] {
  if (acts.has('convert') && toAdu) return [saidBy('adu', acts.get('convert'), 'adu')]
  const nouns = nounsOf(parts, acts.size > 0)
  if (nouns.length === 0) return withoutNoun(parts, own)
  const isOver = buildsOver(parts, acts)
  const read = (noun: Noun) =>
    saysItsAct(noun.part) ? readWithin(noun, false, own, restored) : readWithin(noun, isOver, acts, restored)
  const told = placed && own.size === 0 ? nouns.filter(({ part }) => part.sense.is === 'work') : nouns
  return told.map(read).filter((reading) => reading !== undefined)
}

/** Reports whether a clause is the bare word that also means a sum, joined to one that speaks of no building: `additions and corrections`. */
const isSum = ({ parts: [first, ...others] }: Clause, next: Clause | undefined): boolean =>
  first?.phrase === 'addition' && others.length === 0 && next?.listed === false && next.parts[0]?.sense.is === 'unknown'

/**
 * Reads one sentence, clause by clause. A clause without a verb takes that of the clause before (`replace roof and windows`), and its
 * denial too (`not to be used as dwelling or shop`); one that says it is not part of the work is left out. A service is carried by a
 * joining word only: in `clean gutters, fence` the fence is an item of its own.
 */
export function readSentence(clauses: readonly Clause[]): Reading[] {
  const readings: Reading[] = []
  let acts: Acts = new Map()
  let denied = false
  const whole = {
    restored: clauses.some(({ parts }) => some(actsIn(parts), PUTS_BACK)),
    toAdu: clauses.some(({ parts }) => parts.some(({ sense }) => sense.is === 'work' && sense.workType === 'adu')),
  }
  let placed = false
  for (const [i, clause] of clauses.entries()) {
    const { parts, listed } = clause
    const own = actsIn(parts)
    acts = actsOf(own, acts, clause, clauses[i + 1])
    const denies = has(parts, 'denial')
    denied = own.size === 0 && (denied || denies)
    if ((denied && !denies) || has(parts, 'denial_after') || isSum(clause, clauses[i + 1])) continue
    for (const reading of readClause(parts, own, acts, { ...whole, placed: placed && !listed })) readings.push(reading)
    acts = carriedOn(parts, own, acts)
    placed = has(parts, 'place')
  }
  return readings
}

/** Phrases that are said of a roof where nothing is named. */
const OFF_A_ROOF: readonly string[] = ['tear off', 'tearing off']

/** A clause that names no thing: what is remodeled is the house, and what is painted is finish work. */
function withoutNoun(parts: readonly Found[], acts: Acts): Reading[] {
  const denied = has(parts, 'denial')
  const demolish = acts.get('demolish')
  if (demolish !== undefined && !denied) return [{ ...saidBy('demolition', demolish), weak: true }]
  if (denied || parts.some(isNoun) || acts.has('service')) return []
  const paint = acts.get('surface')
  if (paint !== undefined) return [saidBy('finish_work', paint)]
  if (has(parts, 'place')) return []
  const remodel = acts.get('remodel')
  if (remodel !== undefined) return [saidBy('interior_remodel', remodel)]
  const torn = acts.get('remove')
  if (torn !== undefined && OFF_A_ROOF.includes(torn)) return [saidBy('reroof', torn)]
  return []
}
