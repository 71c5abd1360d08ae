import * as z from 'zod'
import { type Condition, ConditionSchema } from './conditions'
import { SOURCES, type SourceKey } from './sources'
import { WORK_TYPE_NAMES, type WorkType } from './work-types'

/** The answers a rule can give about the building permit. */
export const RULED = ['likely_required', 'likely_not_required', 'ask_jurisdiction'] as const
export type Ruled = (typeof RULED)[number]

/** The possible answers to a permit question. */
export const DETERMINATIONS = [...RULED, 'more_facts_needed'] as const
export type Determination = (typeof DETERMINATIONS)[number]

/** The support for a rule: read in the jurisdiction's own source, or taken from the model code alone. */
export const LABELS = ['confirmed_in_source', 'model_code_only'] as const
export type Label = (typeof LABELS)[number]

/** A rule in our own words. Without `when` it always applies. */
export type Rule = {
  id: string
  workType: WorkType
  when?: Condition
  determination: Ruled
  because: string
  section: string
  source: SourceKey
  checkedOn: string
  label: Label
}

/**
 * A state's rules. They apply to places of the state that have no rules here; where `binds`, also beneath a city's own rules, before
 * the model code. `except` are cities (lower case) whose code is their own altogether, so the state's table says nothing of them.
 */
export type State = Omit<Jurisdiction, 'places' | 'isMeantAlone'> & { binds: boolean; except: string[] }

/**
 * A city or county with its own rules. `places` are the cities and counties (lower case) whose addresses it covers; `isMeantAlone` where its
 * name without a state is hardly another place; `edition` is the model code it builds on.
 */
export type Jurisdiction = {
  id: string
  name: string
  state: string
  places: string[]
  isMeantAlone: boolean
  edition: string
  editionSource: SourceKey
  office: string
  notes: string[]
  rules: Rule[]
}

const Key = z.enum(Object.keys(SOURCES))

/** Validates a rule in the data; a test checks every rule against it. */
export const RuleSchema = z.strictObject({
  id: z.string().regex(/^[a-z]+(?:[.-][a-z]+)+$/),
  workType: z.enum(WORK_TYPE_NAMES),
  when: ConditionSchema.optional(),
  determination: z.enum(RULED),
  because: z.string().min(20).max(400),
  section: z.string().min(3).max(80),
  source: Key,
  checkedOn: z.iso.date(),
  label: z.enum(LABELS),
})

export const JurisdictionSchema = z.strictObject({
  id: z.string().regex(/^us-[a-z]{2}-[a-z-]+$/),
  name: z.string().min(3),
  state: z.string().length(2),
  places: z.array(z.string().regex(/^[a-z .]+$/)).min(1),
  isMeantAlone: z.boolean(),
  edition: z.string().min(4),
  editionSource: Key,
  office: z.string().min(3),
  notes: z.array(z.string().max(320)),
  rules: z.array(RuleSchema).min(1),
})

export const StateSchema = JurisdictionSchema.omit({ places: true, isMeantAlone: true }).extend({
  id: z.string().regex(/^us-[a-z]{2}$/),
  binds: z.boolean(),
  except: z.array(z.string().regex(/^[a-z .]+$/)),
})

/** The day all current rules were checked against their sources. */
const CHECKED_ON = '2026-11-21'

type Written = Omit<Rule, 'workType' | 'checkedOn' | 'label' | 'id'> & { id: string }

/** Returns rules for one kind of work, in the order they are tried. `prefix` begins each rule's id and names the jurisdiction. */
export const rulesFor =
  (prefix: string, label: Label) =>
  (workType: WorkType, rules: Written[]): Rule[] =>
    rules.map((rule) => ({
      ...rule,
      id: `${prefix}.${workType.replaceAll('_', '-')}.${rule.id}`,
      workType,
      checkedOn: CHECKED_ON,
      label,
    }))
