import { factsOf } from './conditions'
import { determine, type Requirement, rulesOf } from './determine'
import { FACT_NAMES, FACTS, type FactName, type Facts } from './facts'
import { mayBePoolBarrier } from './overlays'
import type { Place } from './registry'
import type { WorkType } from './work-types'

/** A fact that was given but not used, and the reason. */
export type NotUsed = { fact: FactName; because: string }

/** Facts that the overlays use for every kind of work. */
const OVERLAY: readonly FactName[] = ['historicDistrict', 'floodZone', 'inRightOfWay', 'emergency']

const asks = (work: WorkType, place: Place | undefined) =>
  new Set<FactName>([
    ...rulesOf(work, place).flatMap(({ when }) => (when ? factsOf(when) : [])),
    ...(mayBePoolBarrier(work) ? ['poolBarrier' as const] : []),
  ])

/**
 * Returns why a fact may not be used for these kinds of work, or undefined when it may. A measurement of one piece never applies to
 * another.
 */
function refusal(fact: FactName, works: readonly WorkType[], place: Place | undefined): string | undefined {
  if (OVERLAY.includes(fact)) return undefined
  const asking = works.filter((work) => asks(work, place).has(fact))
  if (asking.length === 0) return 'No rule of these kinds of work asks for it.'
  if (FACTS[fact].of === 'whole' || asking.length === 1) return undefined
  return `It could be of ${asking.join(' or ')}. Ask for one kind of work at a time.`
}

/** Applies the rules to every kind of work, each with only the facts that certainly concern it. */
export function requirementsOf(
  works: readonly WorkType[],
  given: Facts,
  place: Place | undefined,
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
