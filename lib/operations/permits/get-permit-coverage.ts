import * as z from 'zod'
import { database } from '@/db/client'
import type { Jurisdiction } from '@/db/queries/permits/jurisdictions'
import { LEAST_PERMITS } from '@/lib/knowledge/permits/timeline'
import { defineOperation } from '../define'
import { Count, Day } from '../reports/fields'
import { coverageLine, loadedJurisdictions } from './coverage'
import { CoverageLine, JurisdictionInput } from './fields'

const LIMIT = { error: 'must be a whole number from 1 to 25' }
const Share = z.number().describe('0 to 1, of the loaded permits')
const Values = z.array(z.object({ value: z.string(), permits: Count }))

const share = (part: number, all: number) => (all === 0 ? 0 : Math.round((part / all) * 10_000) / 10_000)

/** Returns what the loaded data cannot answer, in words. */
function unanswerable(each: Jurisdiction): string[] {
  const { permits, withBoth, withCoordinates, withStatus, withCost, withContractor } = each
  const lacking: [boolean, string][] = [
    [withBoth === 0, 'how long permits take: none has both an applied and an issue date'],
    [
      withBoth > 0 && withBoth < LEAST_PERMITS,
      `how long permits take: only ${withBoth} have both an applied and an issue date`,
    ],
    [withStatus === 0, 'what became of an application: no permit has a status'],
    [
      withCoordinates < permits,
      `${permits - withCoordinates} permits are not found by distance: they have no coordinates`,
    ],
    [withCost < permits, `${permits - withCost} permits are in no valuation band: they state no cost`],
    [withContractor === 0, 'who did the work: no permit names a contractor'],
  ]
  return [
    'permits that are not in the loaded file, and what came after its last day',
    ...lacking.flatMap(([is, what]) => (is ? [what] : [])),
  ]
}

/** Lists the loaded permit history, its sources, and what it cannot answer. */
export const getPermitCoverage = defineOperation({
  name: 'get_permit_coverage',
  title: 'Permit history that is loaded',
  description:
    'Which jurisdictions’ permit history is loaded: how many permits, from when to when, the shares with issue dates, coordinates, cost ' +
    'and contractor, the words its office uses for permit types and work classes, source, licence, and what cannot be answered from it. ' +
    'Ask this first. What is not loaded is not known: do not make it up.',
  access: 'read:permits',
  effect: 'read',
  input: z
    .object({
      jurisdiction: JurisdictionInput.optional().describe('Only this jurisdiction, such as us-tn-nashville'),
      limit: z.int(LIMIT).min(1, LIMIT).max(25, LIMIT).default(10).describe('Jurisdictions in the answer'),
    })
    .strict(),
  output: z.object({
    jurisdictions: z.array(
      CoverageLine.extend({
        state: z.string(),
        firstIssued: Day.nullable(),
        lastIssued: Day.nullable(),
        shares: z.object({
          appliedDate: Share,
          issuedDate: Share,
          both: Share,
          coordinates: Share,
          status: Share,
          cost: Share,
          contractorName: Share,
        }),
        permitTypes: Values.describe('The most frequent, as the office writes them'),
        workClasses: Values,
        source: z.object({ title: z.string().nullable(), link: z.string().nullable(), licence: z.string().nullable() }),
        note: z.string().nullable().describe('Of whoever loaded it: how the file’s columns were understood'),
        cannotAnswer: z.array(z.string()),
      }),
    ),
    more: z.int().describe('Jurisdictions loaded but not told'),
  }),
  example: {
    jurisdictions: [
      {
        jurisdiction: 'us-xx-example',
        jurisdictionName: 'Example City',
        permits: 1200,
        firstApplied: '2024-01-02',
        lastApplied: '2026-10-30',
        withIssued: 1100,
        loadedAt: '2026-11-20T08:30:00.000Z',
        state: 'XX',
        firstIssued: '2024-01-09',
        lastIssued: '2026-11-02',
        shares: {
          appliedDate: 1,
          issuedDate: 0.9167,
          both: 0.9167,
          coordinates: 1,
          status: 1,
          cost: 1,
          contractorName: 1,
        },
        permitTypes: [{ value: 'Building', permits: 1200 }],
        workClasses: [{ value: 'New', permits: 1200 }],
        source: { title: 'Open data of Example City', link: 'https://example.com/permits', licence: null },
        note: null,
        cannotAnswer: ['permits that are not in the loaded file, and what came after its last day'],
      },
    ],
    more: 0,
  },
  tool: { category: 'permits', example: { limit: 5 } },
  run: async (_, { jurisdiction, limit }) => {
    const found = await loadedJurisdictions(await database(), jurisdiction)
    const shown = found.slice(0, limit).map((each) => {
      const of = (part: number) => share(part, each.permits)
      return {
        ...coverageLine(each),
        state: each.state,
        firstIssued: each.firstIssued,
        lastIssued: each.lastIssued,
        shares: {
          appliedDate: of(each.withApplied),
          issuedDate: of(each.withIssued),
          both: of(each.withBoth),
          coordinates: of(each.withCoordinates),
          status: of(each.withStatus),
          cost: of(each.withCost),
          contractorName: of(each.withContractor),
        },
        permitTypes: each.permitTypes.slice(0, 40),
        workClasses: each.workClasses.slice(0, 40),
        source: { title: each.sourceName, link: each.sourceLink, licence: each.licence },
        note: each.note,
        cannotAnswer: unanswerable(each),
      }
    })
    return { jurisdictions: shown, more: found.length - shown.length }
  },
})
