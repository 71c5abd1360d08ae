import * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'
import { recognize } from '@/lib/knowledge/permits/recognize/recognize'
import { requirementsOf } from '@/lib/knowledge/permits/rules/apply'
import { checklistFor } from '@/lib/knowledge/permits/rules/checklist'
import type { Facts } from '@/lib/knowledge/permits/rules/facts'
import { findRules, namedPlace, type Place } from '@/lib/knowledge/permits/rules/registry'
import type { WorkType } from '@/lib/knowledge/permits/rules/work-types'
import { defineOperation } from '../define'
import {
  factsFrom,
  JurisdictionOut,
  jurisdictionOut,
  NOT_ADVICE,
  NotUsedOut,
  RequirementOut,
  Source,
  WorkFacts,
  WorkTypeName,
} from './rule-fields'

/** The papers and inspections that come with permits, and who applies. */
export const ChecklistOut = z.array(
  z.object({
    kind: z.enum(['document', 'inspection', 'who_applies']),
    text: z.string(),
    section: z.string(),
    source: Source,
    for: z.array(WorkTypeName),
  }),
)

/** Applies a jurisdiction's rules to kinds of work, and adds the checklist for work that needs or may need a permit. */
export function ruledOn(works: readonly WorkType[], facts: Facts, place: Place | undefined) {
  const { requirements, factsNotUsed } = requirementsOf(works, facts, place)
  const taking = requirements.filter(({ determination }) => determination !== 'likely_not_required')
  const checklist = checklistFor(
    taking.map(({ workType }) => workType),
    facts,
    place,
  )
  return { requirements, checklist, factsNotUsed, notice: NOT_ADVICE }
}

/** The most kinds of work that one answer covers. */
export const MOST_WORK_TYPES = 6

const UNKNOWN_WORK =
  'The description names no kind of work that is known here, so nothing is said of it. Name the kind in workTypes, or ask the jurisdiction.'

/** Kinds of work read in a text. */
export const RecognizedOut = z.array(
  z.object({
    workType: WorkTypeName,
    matched: z
      .array(z.object({ field: z.string(), word: z.string() }))
      .describe('Words of our tables and where they stand'),
  }),
)

const EXAMPLE_PLACE = findRules('us-tn-nashville')

/** Says whether kinds of work likely need a permit, from published rules and the given facts alone. */
export const checkPermitRequirements = defineOperation({
  name: 'check_permit_requirements',
  title: 'Check permit requirements',
  description:
    'Whether residential work likely needs a permit: likely_required, likely_not_required, more_facts_needed (missing says ' +
    'which, in words to ask the user) or ask_jurisdiction, with the rule that decided, its section and source. Rules of some ' +
    'states and cities; elsewhere the model code: tell the user the label and the caveats. Give only facts you were told, of ' +
    'one kind of work at a time. For a project of this contractor use analyze_project_permits.',
  access: 'read:permits',
  effect: 'read',
  input: z
    .object({
      workTypes: z
        .array(WorkTypeName)
        .min(1)
        .max(MOST_WORK_TYPES)
        .transform((works) => [...new Set(works)])
        .optional()
        .describe('Kinds of work, up to 6'),
      description: z.string().trim().min(2).max(2000).optional().describe('Or the work in the user’s words'),
      jurisdiction: z
        .string()
        .trim()
        .min(2)
        .max(80)
        .optional()
        .describe('A city or county with its state, or an id such as us-tn-nashville'),
      state: z.string().trim().length(2).optional().describe('Two letters'),
      facts: WorkFacts,
    })
    .strict(),
  output: z.object({
    jurisdiction: JurisdictionOut,
    recognized: RecognizedOut.describe('Kinds of work read in the description, and the words that told them'),
    unknown: z.string().nullable().describe('Said when the description names no known kind of work'),
    requirements: z.array(RequirementOut),
    checklist: ChecklistOut.describe('For what is likely required or not yet settled'),
    factsNotUsed: NotUsedOut,
    notice: z.string(),
  }),
  example: {
    jurisdiction: jurisdictionOut(EXAMPLE_PLACE),
    recognized: recognize({ description: '6 ft cedar fence' }),
    unknown: null,
    ...ruledOn(['fence'], { heightFt: 6, historicDistrict: false }, EXAMPLE_PLACE),
  },
  tool: {
    category: 'permits',
    example: {
      jurisdiction: 'us-tn-nashville',
      description: '6 ft cedar fence',
      facts: { heightFt: 6, historicDistrict: false },
    },
  },
  run: async (_, { workTypes = [], description, jurisdiction, state, facts }) => {
    if (workTypes.length === 0 && description === undefined)
      throw new ServiceError('bad_request', 'Name the work: give workTypes, or a description of it.')
    const { place, assumed } = namedPlace(jurisdiction, state)
    const recognized = recognize({ description: description ?? null }).slice(0, MOST_WORK_TYPES)
    const works = [...new Set([...workTypes, ...recognized.map(({ workType }) => workType)])].slice(0, MOST_WORK_TYPES)
    return {
      jurisdiction: jurisdictionOut(place, assumed),
      recognized,
      unknown: description !== undefined && recognized.length === 0 ? UNKNOWN_WORK : null,
      ...ruledOn(works, factsFrom(facts), place),
    }
  },
})
