import type { WorkType } from '../rules/work-types'
import { ACTS, type Act, VERBS } from './grammar-words'
import type { Clause, Found, Readings } from './lexicon'
import { isNoun, type Noun, nounsOf, STRUCTURES } from './nouns'
import { WORK_WORDS } from './words'

/** A kind of work read from a clause, and the phrases of our tables that told it. */
export type Reading = {
  workType: WorkType
  words: string[]
  /** Counts only where nothing else is found. */
  weak?: true
}

/** What is done, with the phrase that says so. */
type Acts = Map<Act, string>

/** Acts after which something stands where the old was, so that removal is not all. */
const PUTS_BACK: readonly Act[] = ['new', 'install', 'build', 'replace', 'add']

/** Services about a job and not of it: what is done stands beside them (`estimate for new deck`). */
const ABOUT: readonly string[] = ['estimate', 'quote', 'consultation']

/** Acts that make of every kind of work the same or none, so they are not carried past work that says its own act. */
const TAKES_ALL: readonly Act[] = ['surface', 'service']

const ACT_WORDS: ReadonlySet<string> = new Set(Object.values(ACTS).flat())

/** Names of work that say what is done by themselves: verbs (`re-roof`), and phrases with an act in them (`panel upgrade`). */
const SAYING_ACTS: ReadonlySet<string> = new Set([
  ...VERBS,
  ...Object.values(WORK_WORDS)
    .flat()
    .filter((phrase) => phrase.split(' ').some((word) => ACT_WORDS.has(word))),
])

const saysItsAct = ({ phrase, sense }: Found): boolean => sense.is === 'work' && SAYING_ACTS.has(phrase)

function actsIn(parts: readonly Found[]): Acts {
  const acts: Acts = new Map()
  const about: Acts = new Map()
  for (const { phrase, sense } of parts) {
    if (sense.is !== 'act') continue
    const into = ABOUT.includes(phrase) ? about : acts
    if (!into.has(sense.act)) into.set(sense.act, phrase)
  }
  return acts.size > 0 || parts.some(saysItsAct) ? acts : about
}

/** The acts that the next clause takes over, should it have none. */
function carriedOn(parts: readonly Found[], own: Acts, carried: Acts): Acts {
  const acts = own.size > 0 ? own : carried
  return own.size === 0 && parts.some(saysItsAct)
    ? new Map([...acts].filter(([act]) => !TAKES_ALL.includes(act)))
    : acts
}

const saidBy = (workType: WorkType, ...words: (string | undefined)[]): Reading => ({
  workType,
  words: words.filter((word) => word !== undefined),
})

/** Reads what names a kind of work by itself: painting it is finish work, servicing it none, taking a structure down demolition. */
function readWork(workType: WorkType, phrase: string, acts: Acts, restored: boolean): Reading | undefined {
  if (acts.has('service')) return undefined
  if (acts.has('surface')) return saidBy('finish_work', acts.get('surface'), phrase)
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

/** Whether a clause says that something is built over something. */
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

const some = (acts: Acts, names: readonly Act[]) => names.some((name) => acts.has(name))

const has = (parts: readonly Found[], is: Found['sense']['is']) => parts.some(({ sense }) => sense.is === is)

/** Reads a noun with what is done to it. A head that tells nothing leaves it to the word before: a townhome building is a townhome. */
function readWithin({ part, modifier, existing }: Noun, isOver: boolean, acts: Acts, restored: boolean) {
  if (existing && !some(acts, TO_EXISTING)) return undefined
  const read = (isOver ? coverOf(part) : undefined) ?? readNoun(part, acts, restored)
  if (read === undefined && part.sense.is === 'thing' && modifier) return readNoun(modifier, acts, restored)
  return read
}

/** What a sentence says as a whole: whether something is put back, and whether a dwelling unit is made of something. */
type Whole = { restored: boolean; toAdu: boolean }

function readClause(parts: readonly Found[], own: Acts, acts: Acts, { restored, toAdu }: Whole): Reading[] {
  if (acts.has('convert') && toAdu) return [saidBy('adu', acts.get('convert'), 'adu')]
  const nouns = nounsOf(parts)
  if (nouns.length === 0) return withoutNoun(parts, own)
  const isOver = buildsOver(parts, acts)
  const read = (noun: Noun) =>
    saysItsAct(noun.part) ? readWithin(noun, false, own, restored) : readWithin(noun, isOver, acts, restored)
  return nouns.map(read).filter((reading) => reading !== undefined)
}

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
  for (const { parts, listed } of clauses) {
    const own = actsIn(parts)
    if (own.size > 0) acts = own
    else if (listed) acts = new Map([...acts].filter(([act]) => act !== 'service'))
    const denies = has(parts, 'denial')
    denied = own.size === 0 && (denied || denies)
    if ((denied && !denies) || has(parts, 'denial_after')) continue
    for (const reading of readClause(parts, own, acts, whole)) readings.push(reading)
    acts = carriedOn(parts, own, acts)
  }
  return readings
}

/** A clause that names no thing: what is remodeled is the house, and what is painted is finish work. */
function withoutNoun(parts: readonly Found[], acts: Acts): Reading[] {
  const denied = has(parts, 'denial')
  const demolish = acts.get('demolish')
  if (demolish !== undefined && !denied) return [{ ...saidBy('demolition', demolish), weak: true }]
  if (denied || has(parts, 'place') || parts.some(isNoun) || acts.has('service')) return []
  const remodel = acts.get('remodel')
  if (remodel !== undefined) return [saidBy('interior_remodel', remodel)]
  const paint = acts.get('surface')
  return paint === undefined ? [] : [saidBy('finish_work', paint)]
}
