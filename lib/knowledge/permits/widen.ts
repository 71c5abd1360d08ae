import type { TimelineFilter } from '@/db/queries/permits/timeline'

/** The choice of permits to include. Words are compared, ignoring case, with the raw, mapped and described values. Costs are whole dollars. */
export type TimelineInput = {
  jurisdiction: string
  permitType?: string | undefined
  /** The types that `permitType` means, by {@link meantTypes}. */
  permitTypes?: string[] | undefined
  permitClass?: string | undefined
  workClass?: string | undefined
  /** Words of the permit's description, type, class and work. */
  text?: string | undefined
  valuation?: { min?: number | undefined; max?: number | undefined } | undefined
}

/** The criteria of one step, as the answer reports them. */
type Basis = {
  permitType: string | null
  permitTypes: string[] | null
  permitClass: string | null
  workClass: string | null
  text: string | null
  valuation: { min: number | null; max: number | null } | null
  windowMonths: number | null
}

/** A way to ask: the original question or a wider one. `from` is the first application date, null for the whole history. */
export type Step = {
  words: string
  basis: Basis
  from: string | null
  filter: Omit<TimelineFilter, 'jurisdiction' | 'from' | 'to'>
}

/** The length of the window in months, back from the end of the history; the first applies when nothing is widened. */
const WINDOW_MONTHS = 24
const WIDER_WINDOW_MONTHS = 60

/** The original question, before anything is widened. */
export const asked = ({ permitType, permitTypes, permitClass, workClass, text, valuation }: TimelineInput): Basis => ({
  permitType: permitType ?? null,
  permitTypes: permitTypes ?? null,
  permitClass: permitClass ?? null,
  workClass: workClass ?? null,
  text: text ?? null,
  valuation: valuation ? { min: valuation.min ?? null, max: valuation.max ?? null } : null,
  windowMonths: WINDOW_MONTHS,
})

/** Returns the same day of the month `months` earlier, or the last day of that month when it is shorter. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 - months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date, last))
  return first.toISOString().slice(0, 10)
}

function stepOf(words: string, basis: Basis, end: string): Step {
  const { permitTypes, permitClass, workClass, text, valuation, windowMonths } = basis
  const cost = (dollars: number | null | undefined) => (dollars == null ? null : String(dollars))
  return {
    words,
    basis,
    from: windowMonths === null ? null : monthsBefore(end, windowMonths),
    filter: {
      permitTypes,
      permitClass,
      workClass,
      text,
      leastCost: cost(valuation?.min),
      mostCost: cost(valuation?.max),
    },
  }
}

/**
 * Returns the original question followed by wider ones: without the valuation, with a longer window, without the work class, with
 * the whole history, without the words of the description, without the permit type. A criterion that was not given adds no step. The property class stays, because
 * residential and commercial permits wait in different queues.
 */
export function stepsFor(input: TimelineInput, end: string): Step[] {
  const basis = asked(input)
  const steps = [stepOf(`as asked, the ${WINDOW_MONTHS} months to ${end}`, { ...basis }, end)]
  const widen = (words: string, change: Partial<Basis>) => {
    Object.assign(basis, change)
    steps.push(stepOf(words, { ...basis }, end))
  }
  if (basis.valuation) widen('valuation left out', { valuation: null })
  widen(`${WIDER_WINDOW_MONTHS} months instead of ${WINDOW_MONTHS}`, { windowMonths: WIDER_WINDOW_MONTHS })
  if (basis.workClass !== null) widen('work class left out', { workClass: null })
  widen('all of the loaded history', { windowMonths: null })
  if (basis.text !== null) widen('words of the description left out', { text: null })
  if (basis.permitType !== null)
    widen('permit type left out: permits of every type', { permitType: null, permitTypes: null })
  return steps
}
