/** Applications that waited so many whole days: how many were issued then, and how many were still open after as many. */
export type Wait = { days: number; issued: number; open: number }

/** The day by which a share was issued, and the 95 % interval around it; null where the data do not reach that far. */
export type Percentile = { days: number; low: number | null; high: number | null }

/** The 97.5th percentile of the normal distribution. */
const Z = 1.959964
/** The rounding of products of fractions. */
const NEAR = 1e-9

type Step = { days: number; survival: number; variance: number }

/** Computes the Kaplan and Meier (1958) curve: the share still waiting after each day on which one was issued, with Greenwood's (1926) sum. */
function curve(waits: readonly Wait[]): Step[] {
  const sorted = [...waits].sort((a, b) => a.days - b.days)
  let atRisk = sorted.reduce((sum, { issued, open }) => sum + issued + open, 0)
  let survival = 1
  let variance = 0
  const steps: Step[] = []
  for (const { days, issued, open } of sorted) {
    if (issued > 0) {
      survival *= 1 - issued / atRisk
      variance += atRisk > issued ? issued / (atRisk * (atRisk - issued)) : Number.POSITIVE_INFINITY
      steps.push({ days, survival, variance })
    }
    atRisk -= issued + open
  }
  return steps
}

/** A bound of the share still waiting, on the scale log(−log), which stays between 0 and 1 (Kalbfleisch and Prentice 1980). */
function bound({ survival, variance }: Step, sign: 1 | -1): number | undefined {
  if (survival <= NEAR || !Number.isFinite(variance)) return undefined
  const log = Math.log(survival)
  return Math.exp(-Math.exp(Math.log(-log) + (sign * Z * Math.sqrt(variance)) / Math.abs(log)))
}

/** The first day on which a share falls to a level; where it rests exactly there, the middle to the next day that changes it. */
function crossing(steps: readonly Step[], level: number): number | undefined {
  const at = steps.findIndex(({ survival }) => survival <= level + NEAR)
  const step = steps[at]
  if (!step) return undefined
  const next = steps[at + 1]
  return Math.abs(step.survival - level) <= NEAR && next ? (step.days + next.days) / 2 : step.days
}

/**
 * Estimates the day by which a share of applications is issued, with open applications counted as waiting at least as long as they
 * have. The interval is that of Brookmeyer and Crowley (1982): the days whose own interval of the share holds the level.
 * @param share such as 0.9 for nine in ten
 * @returns undefined when fewer were issued, so that the day is not known
 */
export function percentileOf(waits: readonly Wait[], share: number): Percentile | undefined {
  const steps = curve(waits)
  const level = 1 - share
  const days = crossing(steps, level)
  if (days === undefined) return undefined
  const first = (sign: 1 | -1) =>
    steps.find((step) => {
      const value = bound(step, sign)
      return value === undefined ? sign === 1 : value <= level + NEAR
    })?.days ?? null
  return { days, low: first(1), high: first(-1) }
}
