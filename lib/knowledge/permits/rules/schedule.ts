import { parseDay } from '@/lib/core/time'
import type { Requirement } from './determine'

export const RISKS = ['none', 'low', 'medium', 'high', 'started', 'unknown'] as const
export type Risk = (typeof RISKS)[number]

type Days = { p10: number | null; p50: number; p90: number | null }

/** The effect of permits on a start date. `from` gives the source of each number. Days are calendar days. */
export type ScheduleRisk = {
  risk: Risk
  reason: string
  startDate: string | null
  asOf: string
  daysToStart: number | null
  p50: number | null
  p90: number | null
  from: { number: string; origin: string }[]
}

const ORIGINS = {
  startDate: { number: 'startDate', origin: 'the project’s start date' },
  daysToStart: { number: 'daysToStart', origin: 'startDate minus asOf, both whole UTC days' },
  p50: {
    number: 'p50',
    origin: 'estimate_permit_timeline of the slowest permit type here: half were issued within so many days',
  },
  p90: {
    number: 'p90',
    origin: 'estimate_permit_timeline of the slowest permit type here: nine in ten were issued within so many days',
  },
}

/** Returns whole days between two ISO days. */
export function daysBetween(from: string, to: string): number {
  const [start, end] = [parseDay(from), parseDay(to)]
  if (!start || !end) throw new Error(`no days: ${from}, ${to}`)
  return Math.round((end.getTime() - start.getTime()) / 86_400_000)
}

function judge(daysToStart: number, { p50, p90 }: Days): Pick<ScheduleRisk, 'risk' | 'reason'> {
  if (daysToStart < 0)
    return { risk: 'started', reason: 'The start date has passed; see that a permit that is needed is in hand.' }
  if (p90 !== null && daysToStart >= p90)
    return { risk: 'low', reason: 'There is at least the time nine in ten such permits took.' }
  if (daysToStart >= p50)
    return {
      risk: 'medium',
      reason:
        p90 === null
          ? 'There is the time half of such permits took; how long nine in ten took is not known.'
          : 'There is the time half of such permits took, but not that of nine in ten.',
    }
  return { risk: 'high', reason: 'There is less time than half of such permits took.' }
}

/** Returns the risk when time does not matter, such as when no permit is likely needed; undefined when time does matter. */
function withoutTime(requirements: readonly Requirement[]): Pick<ScheduleRisk, 'risk' | 'reason'> | undefined {
  const says = (determination: Requirement['determination']) =>
    requirements.some((one) => one.determination === determination)
  if (requirements.length === 0) return { risk: 'unknown', reason: 'No kind of work was recognized.' }
  if (says('likely_required')) return undefined
  if (says('more_facts_needed'))
    return { risk: 'unknown', reason: 'Whether a permit is needed hangs on facts that are missing.' }
  if (says('ask_jurisdiction'))
    return { risk: 'unknown', reason: 'Whether a permit is needed is for the jurisdiction to say.' }
  return { risk: 'none', reason: 'None of the work recognized likely takes a permit.' }
}

/** Returns the days of the permit type that risks the start most; of two with the same risk, those of the one that takes longer. */
function slowestOf(known: readonly Days[], daysToStart: number | null): Days | undefined {
  const rank = (days: Days) => (daysToStart === null ? 0 : RISKS.indexOf(judge(daysToStart, days).risk))
  const longest = ({ p50, p90 }: Days) => p90 ?? p50
  return known.toSorted((a, b) => rank(b) - rank(a) || longest(b) - longest(a))[0]
}

/**
 * Rates the risk that permits delay a project's start, by comparing the days until the start with how long permits took there. When
 * no permit is likely, no work was recognized, or the start date or history is missing, the answer says so and gives no number.
 * @param timelines days for each permit type that is needed; the slowest one counts
 */
export function scheduleRisk(
  requirements: readonly Requirement[],
  startDate: string | null,
  asOf: string,
  timelines: readonly (Days | null)[],
): ScheduleRisk {
  const daysToStart = startDate === null ? null : daysBetween(asOf, startDate)
  const known = timelines.filter((days) => days !== null)
  const slowest = known.length === timelines.length ? slowestOf(known, daysToStart) : undefined
  const verdict = (): Pick<ScheduleRisk, 'risk' | 'reason'> => {
    const early = withoutTime(requirements)
    if (early) return early
    if (daysToStart === null) return { risk: 'unknown', reason: 'The project has no start date.' }
    if (daysToStart < 0) return judge(daysToStart, { p10: 0, p50: 0, p90: 0 })
    if (!slowest) return { risk: 'unknown', reason: 'There is not enough history to say how long permits take there.' }
    return judge(daysToStart, slowest)
  }
  return {
    ...verdict(),
    startDate,
    asOf,
    daysToStart,
    p50: slowest?.p50 ?? null,
    p90: slowest?.p90 ?? null,
    from: [
      ...(startDate === null ? [] : [ORIGINS.startDate, ORIGINS.daysToStart]),
      ...(slowest ? [ORIGINS.p50] : []),
      ...(slowest && slowest.p90 !== null ? [ORIGINS.p90] : []),
    ],
  }
}
