import { factsOf } from './conditions'
import type { Jurisdiction } from './define'
import { determine, type Requirement, rulesOf } from './determine'
import { FACT_NAMES, FACTS, type FactName, type Facts } from './facts'
import type { WorkType } from './work-types'

/** A fact that was given and not used, and why. */
export type NotUsed = { fact: FactName; because: string }

/** Facts every kind of work is asked about by the overlays. */
const OVERLAY: readonly FactName[] = ['historicDistrict', 'floodZone', 'inRightOfWay']

const asks = (work: WorkType, place: Jurisdiction | undefined) =>
  new Set(rulesOf(work, place).flatMap(({ when }) => (when ? factsOf(when) : [])))

/** Whether a fact may be used for these works; undefined when it may. A measure of one piece is not carried over to another. */
function refusal(fact: FactName, works: readonly WorkType[], place: Jurisdiction | undefined): string | undefined {
  if (OVERLAY.includes(fact)) return undefined
  const asking = works.filter((work) => asks(work, place).has(fact))
  if (asking.length === 0) return 'No rule of these kinds of work asks for it.'
  if (FACTS[fact].of === 'whole' || asking.length === 1) return undefined
  return `It could be of ${asking.join(' or ')}. Ask for one kind of work at a time.`
}

/** Every kind of work against the rules, each with the facts that are surely about it. */
export function requirementsOf(
  works: readonly WorkType[],
  given: Facts,
  place: Jurisdiction | undefined,
): { requirements: Requirement[]; factsNotUsed: NotUsed[] } {
  const factsNotUsed: NotUsed[] = []
  const facts: Facts = {}
  for (const fact of FACT_NAMES) {
    const value = given[fact]
    if (value === undefined) continue
    const because = refusal(fact, works, place)
    if (because === undefined) facts[fact] = value
    else factsNotUsed.push({ fact, because })
  }
  return { requirements: works.map((work) => determine(work, facts, place)), factsNotUsed }
}
