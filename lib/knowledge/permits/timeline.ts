import type { Database } from '@/db/client'
import { findJurisdiction, type Jurisdiction } from '@/db/queries/permits/jurisdictions'
import { permitTimeline, type TimelineRow } from '@/db/queries/permits/timeline'
import { dayOf, parseDay } from '@/lib/core/time'
import { type Percentile, percentileOf } from './survival'
import { meantTypes, noSuchType } from './types'
import { asked, type Step, stepsFor, type TimelineInput } from './widen'

/** The least number of issued permits with which the middle day means something: of 30, its 95 % interval spans ranks 10 to 21. */
export const LEAST_PERMITS = 30
/** The fastest and slowest tenth rest on a tenth of the permits, so they take more: of 60, six. */
const LEAST_FOR_TENTHS = 60
/** A permit that took longer than five years is a data error or was not waiting for a decision. */
const MOST_DAYS = 1825
/** A history that ended longer ago than this many days says little about the office today. */
const OLD_AFTER_DAYS = 365

export const PERCENTILE_DEFINITION =
  'Kaplan–Meier: the day by which the share was issued, open applications counted as waiting; 95 % intervals of Brookmeyer and Crowley on log(−log), with Greenwood’s variance'

/** An attempt: its step in words and how many permits it found. */
type Tried = { step: string; n: number }

/** A 95 % interval in days; null where the data do not bound it, and on both sides of a percentile that is not known. */
type Interval = { low: number | null; high: number | null }

/** The time permits took from application to issue, from the loaded history alone. Days are calendar days. */
export type Timeline = {
  /** `estimated_wider`: of permits without the type or the words that were asked for, so of others too. */
  status: 'estimated' | 'estimated_wider' | 'not_enough_data'
  jurisdiction: string
  jurisdictionName: string | null
  /** The days; p10 and p90 are null where there are too few permits, or too many are still open, to know them. */
  days: { p10: number | null; p50: number; p90: number | null } | null
  intervals: { p10: Interval; p50: Interval; p90: Interval } | null
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

const intervalOf = (percentile: Percentile | undefined): Interval => ({
  low: percentile?.low ?? null,
  high: percentile?.high ?? null,
})

/** Returns the percentiles and their intervals; undefined where not even the middle day is known. */
function estimateOf({ waits, n }: TimelineRow): Pick<Timeline, 'days' | 'intervals'> | undefined {
  if (!waits || n < LEAST_PERMITS) return undefined
  const known = waits.map(([days, issued, open]) => ({ days, issued, open }))
  const tenth = (share: number) => (n < LEAST_FOR_TENTHS ? undefined : percentileOf(known, share))
  const [p10, p50, p90] = [tenth(0.1), percentileOf(known, 0.5), tenth(0.9)]
  if (!p50) return undefined
  return {
    days: { p10: p10?.days ?? null, p50: p50.days, p90: p90?.days ?? null },
    intervals: { p10: intervalOf(p10), p50: intervalOf(p50), p90: intervalOf(p90) },
  }
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
  intervals: null,
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
          `${row.open.toLocaleString('en-US')} more applications of this window were still open at the end of the data; they count as waiting so long at least.`,
        ]
      : []),
    ...(row.n >= LEAST_PERMITS && row.n < LEAST_FOR_TENTHS
      ? [`With fewer than ${LEAST_FOR_TENTHS} permits the fastest and slowest tenth are not known; do not guess them.`]
      : []),
    ...(row.undated > 0
      ? [
          `${row.undated.toLocaleString('en-US')} applications without an issue date were decided or forgotten; they do not count.`,
        ]
      : []),
    ...(age > OLD_AFTER_DAYS ? [`The loaded history ends on ${end}; how long it takes today is not known.`] : []),
  ]
}

/** The earlier of two ISO days, the later; a day that is not known does not count. */
const earlier = (day: string | null, other: string): string => (day !== null && day < other ? day : other)
const later = (day: string | null, other: string | null): string | null =>
  day === null || (other !== null && other > day) ? other : day

/** Reports whether a step dropped what says which kind of permit was asked for. */
const isWider = ({ permitType, text }: TimelineInput, { basis }: Step): boolean =>
  (permitType !== undefined && basis.permitType === null) || (text !== undefined && basis.text === null)

const reasonOf = ({ n }: TimelineRow): string =>
  n < LEAST_PERMITS
    ? `Only ${n} permits even when widened; fewer than ${LEAST_PERMITS} tell no percentiles.`
    : 'More than half of the applications were still open at the end of the data, so the middle day is not known.'

/** What the figures of the last step are, and what they are of. */
function answerOf(input: TimelineInput, { step, row }: { step: Step; row: TimelineRow }): Partial<Timeline> {
  const estimate = estimateOf(row)
  const status = isWider(input, step) ? 'estimated_wider' : 'estimated'
  return {
    status: estimate ? status : 'not_enough_data',
    days: estimate?.days ?? null,
    intervals: estimate?.intervals ?? null,
    n: row.n,
    basis: step.basis,
    excluded: { negative: row.negative, longerThanFiveYears: row.tooLong },
    open: row.open,
    cancelled: row.cancelled,
    reason: estimate ? null : reasonOf(row),
  }
}

/**
 * Estimates the days from application to issue for permits like the one asked about, as p10, p50 and p90. When fewer than {@link
 * LEAST_PERMITS} match, the question is widened one step at a time and each step is reported; once it is no longer of the type or the words
 * asked for, the status says so. When no step finds enough, or no permit is of the type, the answer says there is not enough data.
 * @param now permits dated later are ignored; the window ends here or at the end of the loaded history, whichever is earlier
 */
export async function estimateTimeline(db: Database, given: TimelineInput, now: Date): Promise<Timeline> {
  const found = await findJurisdiction(db, given.jurisdiction)
  const reason = unanswerable(given, found)
  if (!found || reason !== undefined) return nothing(given, reason ?? '', found)
  const { permitType } = given
  const permitTypes = permitType === undefined ? undefined : await meantTypes(db, [found], permitType)
  const input = { ...given, permitTypes }
  if (permitType !== undefined && permitTypes?.length === 0)
    return nothing(input, noSuchType(permitType, [found]), found)
  const today = dayOf(now)
  const end = earlier(found.lastApplied, today)
  const known = earlier(later(found.lastApplied, found.lastIssued), today)
  const widened: Tried[] = []
  let last: { step: Step; row: TimelineRow } | undefined
  for (const step of stepsFor(input, end)) {
    const filter = { jurisdiction: input.jurisdiction, from: step.from, to: end, ...step.filter }
    const row = await permitTimeline(db, filter, MOST_DAYS, known)
    widened.push({ step: step.words, n: row.n })
    last = { step, row }
    if (row.n >= LEAST_PERMITS) break
  }
  if (!last) return nothing(input, 'Nothing was asked.', found)
  const window = { from: last.step.from, to: end }
  return {
    ...nothing(input, '', found),
    ...answerOf(input, last),
    window,
    widened,
    notes: notesFor(last.row, end, now),
  }
}
