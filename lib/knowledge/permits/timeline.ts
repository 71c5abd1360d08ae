import type { Database } from '@/db/client'
import { findJurisdiction, type Jurisdiction } from '@/db/queries/permits/jurisdictions'
import { permitTimeline, type TimelineRow } from '@/db/queries/permits/timeline'
import { dayOf, parseDay } from '@/lib/core/time'
import { asked, type Step, stepsFor, type TimelineInput } from './widen'

/** With fewer permits than this, the slowest tenth means little. */
export const LEAST_PERMITS = 30
/** A permit that took longer than five years is a data error or was not waiting for a decision. */
export const MOST_DAYS = 1825
/** A history that ended longer ago than this many days says little about the office today. */
const OLD_AFTER_DAYS = 365

export const PERCENTILE_DEFINITION =
  'percentile_cont of Postgres: whole days in order, between two ranks in proportion, rounded to a tenth of a day'

/** An attempt: its step in words and how many permits it found. */
type Tried = { step: string; n: number }

/** How long permits took from application to issue, from the loaded history alone. Days are calendar days. */
export type Timeline = {
  status: 'estimated' | 'not_enough_data'
  jurisdiction: string
  jurisdictionName: string | null
  days: { p10: number; p50: number; p90: number } | null
  n: number
  leastPermits: number
  percentileDefinition: string
  /** The application dates that count; null when nothing is loaded. */
  window: { from: string | null; to: string } | null
  basis: Step['basis']
  widened: Tried[]
  excluded: { negative: number; longerThanFiveYears: number }
  /** Permits applied for in the window and not issued in the loaded data. */
  open: number
  cancelled: number
  reason: string | null
  notes: string[]
}

const tenth = (value: number | undefined) => Math.round((value ?? 0) * 10) / 10

function daysOf({ days, n }: TimelineRow): Timeline['days'] {
  if (!days || n < LEAST_PERMITS) return null
  const [p10, p50, p90] = days
  return { p10: tenth(p10), p50: tenth(p50), p90: tenth(p90) }
}

/** Returns why the history cannot answer at all, or undefined when it can. */
function unanswerable(input: TimelineInput, found: Jurisdiction | undefined): string | undefined {
  if (!found || found.permits === 0)
    return `No permit history of ${input.jurisdiction} is loaded, so nothing is known of how long permits take there. Ask the jurisdiction.`
  const counted = found.permits.toLocaleString('en-US')
  if (found.withIssued === 0)
    return `None of the ${counted} loaded permits of ${found.jurisdictionName} has an issue date, so the time from applied to issued cannot be computed. Ask the jurisdiction, or load a history with issue dates.`
  if (found.withBoth === 0)
    return `None of the ${counted} loaded permits of ${found.jurisdictionName} has both an applied and an issue date.`
  return undefined
}

const nothing = (input: TimelineInput, reason: string, found: Jurisdiction | undefined): Timeline => ({
  status: 'not_enough_data',
  jurisdiction: input.jurisdiction,
  jurisdictionName: found?.jurisdictionName ?? null,
  days: null,
  n: 0,
  leastPermits: LEAST_PERMITS,
  percentileDefinition: PERCENTILE_DEFINITION,
  window: null,
  basis: asked(input),
  widened: [],
  excluded: { negative: 0, longerThanFiveYears: 0 },
  open: 0,
  cancelled: 0,
  reason,
  notes: [],
})

/** Returns notes that a reader needs to interpret the figures. */
function notesFor(row: TimelineRow, end: string, now: Date): string[] {
  const age = Math.floor((now.getTime() - (parseDay(end)?.getTime() ?? 0)) / 86_400_000)
  return [
    'Counted are applications by the day they were filed, from applied to issued, in calendar days; the time the applicant took to answer the office is in it.',
    ...(row.open > 0
      ? [
          `${row.open.toLocaleString('en-US')} more applications of this window have no issue date; their wait is not in the figures, which are too short to that extent.`,
        ]
      : []),
    ...(age > OLD_AFTER_DAYS ? [`The loaded history ends on ${end}; how long it takes today is not known.`] : []),
  ]
}

/**
 * Estimates the days from application to issue for permits like the one asked about, as p10, p50 and p90. When fewer than {@link
 * LEAST_PERMITS} match, the question is widened one step at a time and each step is reported. When no step finds enough, the answer
 * says there is not enough data.
 * @param now permits dated later are ignored; the window ends here or at the end of the loaded history, whichever is earlier
 */
export async function estimateTimeline(db: Database, input: TimelineInput, now: Date): Promise<Timeline> {
  const found = await findJurisdiction(db, input.jurisdiction)
  const reason = unanswerable(input, found)
  if (!found || reason !== undefined) return nothing(input, reason ?? '', found)
  const today = dayOf(now)
  const end = found.lastApplied && found.lastApplied < today ? found.lastApplied : today
  const widened: Tried[] = []
  let last: { step: Step; row: TimelineRow } | undefined
  for (const step of stepsFor(input, end)) {
    const filter = { jurisdiction: input.jurisdiction, from: step.from, to: end, ...step.filter }
    const row = await permitTimeline(db, filter, MOST_DAYS, [0.1, 0.5, 0.9])
    widened.push({ step: step.words, n: row.n })
    last = { step, row }
    if (row.n >= LEAST_PERMITS) break
  }
  if (!last) return nothing(input, 'Nothing was asked.', found)
  const { step, row } = last
  const days = daysOf(row)
  return {
    ...nothing(input, '', found),
    status: days ? 'estimated' : 'not_enough_data',
    days,
    n: row.n,
    window: { from: step.from, to: end },
    basis: step.basis,
    widened,
    excluded: { negative: row.negative, longerThanFiveYears: row.tooLong },
    open: row.open,
    cancelled: row.cancelled,
    reason: days ? null : `Only ${row.n} permits even when widened; fewer than ${LEAST_PERMITS} tell no percentiles.`,
    notes: notesFor(row, end, now),
  }
}
