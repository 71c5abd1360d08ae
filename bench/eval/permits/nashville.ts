import { recognize } from '@/lib/knowledge/permits/recognize/recognize'
import type { WorkType } from '@/lib/knowledge/permits/rules/work-types'
import { readCsv } from '@/lib/load/csv'
import { type Half, halfOf } from './labels'

/** A city's permit type stands for these kinds of work: one of them found is a hit. */
type Label = { name: string; any: readonly WorkType[] }

const HOUSES = /^(Single Family Residence|Duplex|Multifamily, Townhome)$/

/** Returns the label of one of Nashville's permits from the office's own type and subtype; undefined where they tell no kind of work. */
export function labelOf(type: string, subtype: string): Label | undefined {
  if (type === 'Building Demolition Permit') return { name: 'Demolition', any: ['demolition'] }
  if (type === 'Building Residential - Roofing / Siding')
    return { name: 'Roofing / Siding', any: ['reroof', 'siding', 'roof_structure'] }
  if (/^Accessory Structure, (Garage|Shed|Carport)/.test(subtype))
    return { name: 'Accessory structure', any: ['accessory_structure'] }
  if (subtype === 'Accessory Structure, Pools - Residential') return { name: 'Pool', any: ['pool', 'hot_tub'] }
  if (subtype === 'Accessory Structure, Decks') return { name: 'Deck', any: ['deck', 'patio_cover'] }
  if (subtype === 'Detached Accessory Dwelling Unit') return { name: 'ADU', any: ['adu'] }
  if (!HOUSES.test(subtype)) return undefined
  if (type === 'Building Residential - New') return { name: 'New house', any: ['new_dwelling'] }
  if (type === 'Building Residential - Addition')
    return { name: 'Addition', any: ['addition', 'patio_cover', 'deck', 'finish_basement', 'roof_structure'] }
  if (type === 'Building Residential - Rehab')
    return {
      name: 'Rehab',
      any: ['interior_remodel', 'finish_basement', 'finish_work', 'foundation', 'roof_structure'],
    }
  return undefined
}

/** Counts of one label in one half: descriptions, those with one of its kinds found, those with only others, those with none. */
export type LabelScore = { name: string; half: Half; n: number; hit: number; other: number; none: number }

/**
 * Puts the recognizer to a file of Nashville's permits, row by row, with the office's type as the label. The halves are split like
 * those of the labeled set.
 * @throws FileProblem when the file cannot be read
 */
export async function scoreNashville(path: string): Promise<LabelScore[]> {
  const scores = new Map<string, LabelScore>()
  let header: string[] | undefined
  for await (const { cells } of readCsv(path)) {
    if (!header) {
      header = cells
      continue
    }
    const names = header
    const cell = (name: string) => cells[names.indexOf(name)]?.trim() ?? ''
    const label = labelOf(cell('Permit_Type_Description'), cell('Permit_Subtype_Description'))
    const purpose = cell('Purpose')
    if (!label || purpose === '') continue
    const half = halfOf(purpose)
    const key = `${label.name} ${half}`
    const score = scores.get(key) ?? { name: label.name, half, n: 0, hit: 0, other: 0, none: 0 }
    scores.set(key, score)
    const found = recognize({ description: purpose }).map(({ workType }) => workType)
    score.n++
    if (found.some((one) => label.any.includes(one))) score.hit++
    else if (found.length === 0) score.none++
    else score.other++
  }
  return [...scores.values()].sort((a, b) => a.name.localeCompare(b.name))
}
