import { WORK_TYPE_NAMES, type WorkType } from '../rules/work-types'
import { type Reading, readSentence } from './clause'
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

/** What a kind of work already holds, so that naming both tells nothing more. */
const HOLDS: Partial<Record<WorkType, readonly WorkType[]>> = {
  new_dwelling: HOUSE_PARTS,
  adu: [...HOUSE_PARTS, 'new_dwelling', 'accessory_structure'],
  finish_basement: ['interior_remodel', 'circuits'],
  ev_charger: ['circuits'],
  mini_split: ['hvac'],
  patio_cover: ['reroof', 'foundation'],
  addition: ['interior_remodel', 'foundation'],
  deck: ['foundation'],
  accessory_structure: ['foundation'],
  retaining_wall: ['foundation'],
  fence: ['foundation'],
  pool: ['foundation'],
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
const readingsOf = (text: string): Reading[] => sentencesOf(clausesOf(text)).flatMap(readSentence)

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
  const held = new Set([...found.keys()].flatMap((workType) => HOLDS[workType] ?? []))
  const kept = WORK_TYPE_NAMES.filter((workType) => found.has(workType) && !held.has(workType))
  const larger = kept.filter((workType) => workType !== 'finish_work')
  return (larger.length > 0 ? larger : kept).map((workType) => ({
    workType,
    matched: [...(found.get(workType)?.values() ?? [])],
  }))
}
