import * as z from 'zod'
import { type Database, database } from '@/db/client'
import { findJurisdiction } from '@/db/queries/permits/jurisdictions'
import { type ProjectScope, projectScope } from '@/db/queries/permits/project'
import { parseState } from '@/lib/core/contact'
import { dayOf } from '@/lib/core/time'
import { findRules, idOf, isState, type Named, namedPlace } from '@/lib/knowledge/permits/rules/registry'
import { estimateTimeline } from '@/lib/knowledge/permits/timeline'
import { FilterId } from '@/lib/resources/fields'
import { resources } from '@/lib/resources/registry'
import { notThere } from '../absent'
import { defineOperation } from '../define'
import { Analysis, analysisOf, type ProjectTimeline, permitTypesOf, type Where, workOf } from './project-analysis'
import { factsFrom, WorkFacts } from './rule-fields'

/** What the caller named is asked back where it is not clear; what an address lacks is told as missing. */
const placeNamed = (asked: string | undefined, city: string | null, state: string | undefined): Named =>
  asked ? namedPlace(asked, state) : { place: findRules(city ?? '', state), assumed: undefined }

/** Finds a project's jurisdiction, from the caller or from the project's address. `id` is the one its history is loaded under. */
function placeOf(
  { city, state: written }: ProjectScope,
  asked: string | undefined,
): Where & { id: string | undefined } {
  const state = parseState(written ?? '')
  const name = asked ?? city
  // A state by its name stands in for the address whole; a city by its name lies in the project's state.
  const own = asked ? findRules(asked) : undefined
  const { place, assumed } = own ? { place: own, assumed: undefined } : placeNamed(asked, city, state)
  const byCity = name && state ? idOf(name, state) : undefined
  return {
    place,
    assumed,
    by: asked ? 'argument' : 'project_address',
    id: place && !isState(place) ? place.id : asked?.startsWith('us-') ? asked : byCity,
  }
}

/** Returns how long permits of these types take, from the history loaded under an id; empty when nothing is loaded. */
async function timelinesOf(
  db: Database,
  types: ReturnType<typeof permitTypesOf>,
  id: string | undefined,
  now: Date,
): Promise<ProjectTimeline[]> {
  const loaded = id === undefined ? undefined : await findJurisdiction(db, id)
  if (!loaded) return []
  const timelines: ProjectTimeline[] = []
  for (const { permitType, text } of types) {
    const { status, days, n, window, widened, reason } = await estimateTimeline(
      db,
      { jurisdiction: loaded.id, permitType, text: text ?? undefined },
      now,
    )
    timelines.push({ permitType, text, status, days, n, window, widened, reason, from: 'estimate_permit_timeline' })
  }
  return timelines
}

const EXAMPLE: ProjectScope = {
  id: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
  name: 'Re-roof, architectural shingle, 28 sq',
  status: 'scheduled',
  description: 'Tear off one layer, ice and water shield, charcoal shingles.',
  city: 'Nashville',
  state: 'TN',
  startDate: '2026-12-14',
}
const NONE_ISSUED: ProjectTimeline = {
  permitType: 'Roof',
  text: null,
  status: 'not_enough_data',
  days: null,
  n: 0,
  window: null,
  widened: [],
  reason:
    'None of the 5,996 loaded permits of Nashville–Davidson County has an issue date, so the time from applied to issued cannot be computed. Ask the jurisdiction, or load a history with issue dates.',
  from: 'estimate_permit_timeline',
}

/** Analyzes a project's permits: its kinds of work, what they require, how long that takes there, and the risk to its start. */
export const analyzeProjectPermits = defineOperation({
  name: 'analyze_project_permits',
  title: 'Analyze a project’s permits',
  description:
    'One project of this contractor: its kinds of work, by words of its name and description; whether each likely needs a permit, as ' +
    'check_permit_requirements says; how long permits take there by the loaded history; a checklist; the risk to its start date. Ask ' +
    'the user the missing facts and call again with facts.',
  access: ['read:projects', 'read:permits'],
  effect: 'read',
  input: z
    .object({
      projectId: FilterId.describe('As list_projects gives it'),
      jurisdiction: z
        .string()
        .trim()
        .min(2)
        .max(80)
        .optional()
        .describe('Instead of the project’s address, such as us-tn-nashville'),
      facts: WorkFacts,
    })
    .strict(),
  output: Analysis,
  example: Analysis.parse(
    analysisOf(
      EXAMPLE,
      { repairOnly: false },
      { place: findRules('us-tn-nashville'), by: 'project_address' },
      [NONE_ISSUED],
      '2026-11-20',
    ),
  ),
  tool: {
    category: 'permits',
    example: { projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr', facts: { repairOnly: false } },
    untrusted: ['name', 'projectCity'],
  },
  run: async ({ actor, now }, { projectId, jurisdiction, facts: given }) => {
    const db = await database()
    const project = await projectScope(db, { contractorId: actor.contractorId, projectId })
    if (!project) throw notThere(resources.projects, projectId, 'list_projects')
    const facts = factsFrom(given)
    const { id, ...where } = placeOf(project, jurisdiction)
    const types = permitTypesOf(workOf(project).work, facts, where)
    return analysisOf(project, facts, where, await timelinesOf(db, types, id, now), dayOf(now))
  },
})
