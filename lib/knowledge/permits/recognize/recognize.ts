import { WORK_TYPE_NAMES, type WorkType } from '../rules/work-types'
import { type Reading, readSentence } from './clause'
import { ACTS, VERBS } from './grammar-words'
import { type Clause, clausesOf } from './lexicon'

/**
 * A kind of work, and which words of our tables were found in which field. Holds only words from the tables, never the text around
 * them.
 */
export type Recognized = { workType: WorkType; matched: { field: string; word: string }[] }

const HOUSE_PARTS: readonly WorkType[] = [
  'addition',
  'interior_remodel',
  'finish_basement',
  'foundation',
  'roof_structure',
  'reroof',
  'siding',
  'window_door',
  'circuits',
  'plumbing_fixture',
  'electrical_service',
  'hvac',
]

/** The work that a kind of work already holds wherever it is named, so that naming both tells nothing more. */
const HOLDS: Partial<Record<WorkType, readonly WorkType[]>> = {
  new_dwelling: HOUSE_PARTS,
  adu: [...HOUSE_PARTS, 'new_dwelling', 'accessory_structure'],
  finish_basement: ['interior_remodel', 'circuits'],
  mini_split: ['hvac'],
  addition: ['interior_remodel'],
}

/** The work that a kind of work holds within its own sentence only: another sentence speaks of other work. */
const HOLDS_BESIDE: Partial<Record<WorkType, readonly WorkType[]>> = {
  ev_charger: ['circuits'],
  patio_cover: ['reroof', 'foundation'],
  addition: ['foundation'],
  deck: ['foundation'],
  accessory_structure: ['foundation'],
  retaining_wall: ['foundation'],
  fence: ['foundation'],
  pool: ['foundation'],
}

/** The parts of a mini split: any other heating or cooling is a system of its own. */
const SPLIT_PARTS: readonly string[] = [
  'heat pump',
  'condenser',
  'air handler',
  'air conditioner',
  'air conditioning',
  'ac',
  'a c',
  'ac unit',
  'a c unit',
  'split system',
  'hvac',
  'hvac unit',
]

/** The part of a foundation that a deck or fence has too. Anything else said of a foundation is of the house's. */
const FOOTINGS: readonly string[] = ['footing', 'footer', 'helical pier']

/** Phrases for remodeling. What is remodeled was there before, so it is no part of what is added beside it. */
const REMODELS: readonly string[] = [...ACTS.remodel, 'interior remodel', 'interior renovation', 'interior rehab']

/** Reports whether words may name a mere part of the work beside them: a new roof may be the patio cover's, re-roofing is work of its own. */
const isPart = ({ workType, words }: Reading): boolean =>
  workType === 'foundation'
    ? words.every((word) => FOOTINGS.includes(word))
    : !words.some((word) => VERBS.includes(word))

/** Reports whether words may name a part of larger work that is named anywhere in the texts. */
function isPartOf(larger: WorkType, { workType, words }: Reading): boolean {
  if (!HOLDS[larger]?.includes(workType)) return false
  if (larger === 'mini_split') return words.every((word) => SPLIT_PARTS.includes(word))
  if (larger === 'adu' || larger === 'new_dwelling') return !words.some((word) => VERBS.includes(word))
  return !words.some((word) => VERBS.includes(word) || (workType === 'interior_remodel' && REMODELS.includes(word)))
}

/** Leaves out of a sentence what is a part of other work in it. */
function ownWork(readings: readonly Reading[]): Reading[] {
  const held = new Set(readings.flatMap(({ workType }) => HOLDS_BESIDE[workType] ?? []))
  return readings.filter((reading) => !(held.has(reading.workType) && isPart(reading)))
}

function sentencesOf(clauses: readonly Clause[]): Clause[][] {
  const sentences: Clause[][] = [[]]
  for (const clause of clauses) {
    sentences.at(-1)?.push(clause)
    if (clause.ends) sentences.push([])
  }
  return sentences
}

/** Readings of a text, in order. */
const readingsOf = (text: string): Reading[] =>
  sentencesOf(clausesOf(text)).flatMap((clauses) => ownWork(readSentence(clauses)))

/**
 * Recognizes kinds of work in texts as people write them, by tables of words and a small grammar: the same text always gives the same
 * answer, and what is not understood is left out. Finish work counts only when nothing larger is found, because nearly every job
 * ends with paint. Takes time linear in the texts.
 * @param fields texts keyed by field name
 */
export function recognize(fields: Record<string, string | null>): Recognized[] {
  const said = Object.entries(fields).flatMap(([field, text]) =>
    text ? readingsOf(text).map((reading) => ({ field, ...reading })) : [],
  )
  const isSure = said.some(({ weak }) => !weak)
  const found = new Map<WorkType, Map<string, { field: string; word: string }>>()
  for (const { field, workType, words, weak } of said) {
    if (weak && isSure) continue
    const word = words.join(' … ')
    const matched = found.get(workType) ?? new Map()
    found.set(workType, matched.set(`${field} ${word}`, { field, word }))
  }
  const own = new Set(
    said.filter((one) => ![...found.keys()].some((larger) => isPartOf(larger, one))).map(({ workType }) => workType),
  )
  const kept = WORK_TYPE_NAMES.filter((workType) => found.has(workType) && own.has(workType))
  const larger = kept.filter((workType) => workType !== 'finish_work')
  return (larger.length > 0 ? larger : kept).map((workType) => ({
    workType,
    matched: [...(found.get(workType)?.values() ?? [])],
  }))
}
