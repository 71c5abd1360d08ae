import * as z from 'zod'
import type { ProjectScope } from '@/db/queries/permits/project'
import { parseState } from '@/lib/core/contact'
import { type Recognized, recognize } from '@/lib/knowledge/permits/recognize/recognize'
import type { Facts } from '@/lib/knowledge/permits/rules/facts'
import type { Place } from '@/lib/knowledge/permits/rules/registry'
import { RISKS, scheduleRisk } from '@/lib/knowledge/permits/rules/schedule'
import { workType } from '@/lib/knowledge/permits/rules/work-types'
import { ProjectStatus } from '@/lib/resources/projects'
import { ChecklistOut, MOST_WORK_TYPES, RecognizedOut, ruledOn } from './check-permit-requirements'
import { JurisdictionOut, jurisdictionOut, NotUsedOut, RequirementOut } from './rule-fields'

const Days = z.object({ p10: z.number().nullable(), p50: z.number(), p90: z.number().nullable() })

const TimelineOut = z.object({
  permitType: z.string(),
  text: z.string().nullable().describe('Words of the description that narrow the type'),
  status: z.enum(['estimated', 'estimated_wider', 'not_enough_data']),
  days: Days.nullable().describe('Calendar days from applied to issued'),
  n: z.int(),
  window: z.object({ from: z.iso.date().nullable(), to: z.iso.date() }).nullable(),
  widened: z
    .array(z.object({ step: z.string(), n: z.int() }))
    .describe('What was counted: as asked first, and then wider'),
  reason: z.string().nullable(),
  from: z.literal('estimate_permit_timeline').describe('The tool that gives the same numbers'),
})

/** The time that permits of one type take, as an analysis reports it. */
export type ProjectTimeline = z.output<typeof TimelineOut>

/** The answer of an analysis. */
export const Analysis = z.object({
  project: z.object({
    id: z.string(),
    name: z.string(),
    status: ProjectStatus,
    projectCity: z.string().nullable(),
    state: z.string().nullable(),
    startDate: z.iso.date().nullable(),
  }),
  jurisdiction: JurisdictionOut.extend({
    by: z.enum(['argument', 'project_address']),
    missing: z.array(z.string()).describe('Fields of the project that would tell the place and are empty'),
  }),
  work: RecognizedOut,
  more: z.int().describe('Kinds of work recognized and not gone into'),
  requirements: z.array(RequirementOut),
  timelines: z
    .array(TimelineOut)
    .describe('Of the permit types needed or not yet settled; none where no history is loaded'),
  schedule: z.object({
    risk: z.enum(RISKS),
    reason: z.string(),
    startDate: z.iso.date().nullable(),
    asOf: z.iso.date(),
    daysToStart: z.int().nullable(),
    p50: z.number().nullable(),
    p90: z.number().nullable(),
    from: z.array(z.object({ number: z.string(), origin: z.string() })).describe('Where each number comes from'),
  }),
  checklist: ChecklistOut,
  factsNotUsed: NotUsedOut,
  notice: z.string(),
})

/** Returns the kinds of work a project mentions, and how many more than an answer covers. */
export function workOf({ name, description }: Pick<ProjectScope, 'name' | 'description'>): {
  work: Recognized[]
  more: number
} {
  const found = recognize({ name, description })
  const work = found.slice(0, MOST_WORK_TYPES)
  return { work, more: found.length - work.length }
}

/** The known facts about a project's jurisdiction: its rules, and how it was determined. */
export type Where = { place: Place | undefined; by: 'argument' | 'project_address'; assumed?: string | undefined }

/** Returns how the history names the permits that are needed or may be needed, each once: their type, and words that narrow it. */
export function permitTypesOf(
  work: readonly Recognized[],
  facts: Facts,
  { place }: Where,
): { permitType: string; text: string | null }[] {
  const works = work.map((one) => one.workType)
  const { requirements } = ruledOn(works, facts, place)
  const taking = requirements.filter(({ determination }) => determination !== 'likely_not_required')
  const asked = taking.map((one) => {
    const { historyType: permitType, historyText: text = null } = workType(one.workType)
    return { permitType, text }
  })
  return [...new Map(asked.map((one) => [`${one.permitType} ${one.text}`, one])).values()]
}

/** Builds the answer from what was read. @param asOf the ISO day that counts as today */
export function analysisOf(
  project: ProjectScope,
  facts: Facts,
  where: Where,
  timelines: ProjectTimeline[],
  asOf: string,
): z.input<typeof Analysis> {
  const { id, name, status, city, startDate } = project
  const state = parseState(project.state ?? '') ?? null
  const { work, more } = workOf(project)
  const ruled = ruledOn(
    work.map((one) => one.workType),
    facts,
    where.place,
  )
  const missing = [...(city ? [] : ['project.city']), ...(state ? [] : ['project.state'])]
  return {
    project: { id, name, status: ProjectStatus.parse(status), projectCity: city, state, startDate },
    jurisdiction: {
      ...jurisdictionOut(where.place, where.assumed),
      by: where.by,
      missing: where.by === 'argument' ? [] : missing,
    },
    work,
    more,
    ...ruled,
    timelines,
    schedule: scheduleRisk(
      ruled.requirements,
      startDate,
      asOf,
      timelines.map(({ days }) => days),
    ),
  }
}
