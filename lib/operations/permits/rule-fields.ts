import * as z from 'zod'
import { DETERMINATIONS, LABELS, RULED } from '@/lib/knowledge/permits/rules/define'
import { FACT_NAMES, type Facts, FactsInput } from '@/lib/knowledge/permits/rules/facts'
import { isState, JURISDICTIONS, MODEL_EDITION, type Place, STATES } from '@/lib/knowledge/permits/rules/registry'
import { SOURCES } from '@/lib/knowledge/permits/rules/sources'
import { WORK_TYPE_NAMES } from '@/lib/knowledge/permits/rules/work-types'

/** The note in every determination. */
export const NOT_ADVICE =
  'A reading of published rules, not legal advice and no decision: the jurisdiction decides. Zoning, home-owner associations and contracts are not looked at.'

export const WorkTypeName = z.enum(WORK_TYPE_NAMES)
export const Source = z.object({ title: z.string(), link: z.url() })
const FactName = z.enum(FACT_NAMES)

const Cited = z.object({
  rule: z.string(),
  determination: z.enum(RULED),
  because: z.string(),
  section: z.string(),
  edition: z.string(),
  label: z.enum(LABELS).describe('Read in a source of the jurisdiction, or the model code alone'),
  source: Source,
  checkedOn: z.iso.date(),
})

export const RequirementOut = z.object({
  workType: WorkTypeName,
  title: z.string(),
  determination: z.enum(DETERMINATIONS),
  decidedBy: Cited.nullable().describe('The rule that decided; null while facts are missing'),
  couldBe: z.array(Cited).describe('The rules the missing facts decide between'),
  missing: z
    .array(
      z.object({
        fact: FactName,
        type: z.enum(['number', 'yes_or_no']),
        unit: z.string().nullable(),
        question: z.string(),
      }),
    )
    .describe('Ask the user these and call again'),
  permits: z.array(z.string()).describe('Which permits such work usually takes, where it takes any'),
  caveats: z.array(z.string()),
})

export const NotUsedOut = z
  .array(z.object({ fact: FactName, because: z.string() }))
  .describe('Facts given and not used')

export const JurisdictionOut = z.object({
  id: z.string().nullable().describe('Null when no rules of the place are here'),
  jurisdictionName: z.string(),
  rules: z.enum(['own_and_model_code', 'state_and_model_code', 'model_code_only']),
  edition: z.string(),
  editionSource: Source,
  office: z.string().nullable().describe('Whom to ask'),
  notes: z.array(z.string()),
})

/** The facts of the work. A tool's schema names them; the answer to a call asks for those that are missing, each in a full question. */
export const WorkFacts = FactsInput.default({}).describe('Only what you were told of the work').meta({ brief: true })

/** Facts by their names; what was left out stays unknown. */
export const factsFrom = (given: Record<string, number | boolean | undefined>): Facts =>
  Object.fromEntries(FACT_NAMES.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))

const RULED_PLACES = [...JURISDICTIONS, ...STATES].map(({ id }) => id).join(', ')

/** Returns the jurisdiction whose rules applied, as an answer names it, or says that it has none. */
export function jurisdictionOut(place: Place | undefined, assumed?: string): z.input<typeof JurisdictionOut> {
  const before = assumed === undefined ? [] : [assumed]
  if (!place)
    return {
      id: null,
      jurisdictionName: 'No jurisdiction with rules of its own here',
      rules: 'model_code_only',
      edition: MODEL_EDITION,
      editionSource: SOURCES.ircExempt,
      office: null,
      notes: [
        `The model code stands in for rules that are not here: every jurisdiction amends it. There are rules of ${RULED_PLACES}.`,
      ],
    }
  const { id, name, edition, editionSource, office, notes } = place
  return {
    id,
    jurisdictionName: name,
    rules: isState(place) ? 'state_and_model_code' : 'own_and_model_code',
    edition,
    editionSource: SOURCES[editionSource],
    office,
    notes: isState(place)
      ? [...before, `The state’s rules stand in for those of the city, which are not here and may differ.`, ...notes]
      : [...before, ...notes],
  }
}
