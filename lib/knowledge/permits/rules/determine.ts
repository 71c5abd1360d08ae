import { openFacts, truthOf } from './conditions'
import type { Determination, Label, Rule } from './define'
import { askFor, type FactName, type Facts, type MissingFact } from './facts'
import { overlaysOn } from './overlays'
import { MODEL_EDITION, MODEL_RULES, type Place, stateOf } from './registry'
import { SOURCES } from './sources'
import { type Trade, type WorkType, workType } from './work-types'

/** A rule as it appears in an answer. */
export type Cited = {
  rule: string
  determination: Rule['determination']
  because: string
  section: string
  edition: string
  label: Label
  source: { title: string; link: string }
  checkedOn: string
}

/**
 * The result for one kind of work. While facts are missing, `decidedBy` is null and `couldBe` lists the rules that may still
 * decide.
 */
export type Requirement = {
  workType: WorkType
  title: string
  determination: Determination
  decidedBy: Cited | null
  couldBe: Cited[]
  missing: MissingFact[]
  permits: Trade[]
  caveats: string[]
}

/** Returns the rules in the order they are tried: the place's own, those of its state where they bind it, then the model code. */
export function rulesOf(work: WorkType, place: Place | undefined): Rule[] {
  const above = stateOf(place)
  return [...(place?.rules ?? []), ...(above?.binds ? above.rules : []), ...MODEL_RULES].filter(
    (rule) => rule.workType === work,
  )
}

function cite(rule: Rule, place: Place | undefined): Cited {
  const { id, determination, because, section, label, source, checkedOn } = rule
  const edition = label === 'model_code_only' ? (place?.edition ?? MODEL_EDITION) : 'as the page stood'
  return { rule: id, determination, because, section, edition, label, source: SOURCES[source], checkedOn }
}

/** Returns the rules that can still decide: the undecided ones before the first rule that holds, and that rule. */
function standing(rules: Rule[], facts: Facts): Rule[] {
  const left: Rule[] = []
  for (const rule of rules) {
    const truth = rule.when ? truthOf(rule.when, facts) : 'holds'
    if (truth !== 'fails') left.push(rule)
    if (truth === 'holds') break
  }
  return left
}

/**
 * Decides whether a kind of work likely needs a permit. Rules are tried in order and the first one that holds decides. A rule whose
 * facts are unknown is undecided. When the rules that can still decide disagree, the result lists the facts that would settle it.
 */
export function determine(work: WorkType, facts: Facts, place: Place | undefined): Requirement {
  const left = standing(rulesOf(work, place), facts)
  const said = new Set(left.map((rule) => rule.determination))
  const settled = said.size === 1 ? left.at(-1) : undefined
  const open = settled ? [] : left.flatMap((rule) => (rule.when ? openFacts(rule.when, facts) : []))
  const { title, permits } = workType(work)
  const overlaid = overlaysOn(work, facts, settled?.determination ?? 'more_facts_needed')
  return {
    workType: work,
    title,
    determination: overlaid.determination,
    decidedBy: settled ? cite(settled, place) : null,
    couldBe: settled ? [] : left.map((rule) => cite(rule, place)),
    missing: [...new Set<FactName>(open)].map(askFor),
    permits,
    caveats: overlaid.caveats,
  }
}
