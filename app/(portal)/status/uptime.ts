type Checked = { checks: number; faults: number }

/** Above this share of failed checks a day counts as bad: more than an hour of it. */
const BAD = 1 / 24

/** How a day went: nothing known, all well, some checks failed, or many. */
export function dayTone({ checks, faults }: Checked): 'none' | 'good' | 'warn' | 'bad' {
  if (checks === 0) return 'none'
  if (faults === 0) return 'good'
  return faults / checks > BAD ? 'bad' : 'warn'
}

/** The share of checks that passed, never rounded up to 100%; undefined where there were none. */
export function uptimeOf(days: Checked[]): string | undefined {
  const checks = days.reduce((sum, day) => sum + day.checks, 0)
  const faults = days.reduce((sum, day) => sum + day.faults, 0)
  if (checks === 0) return undefined
  return `${(Math.floor((1 - faults / checks) * 10_000) / 100).toFixed(2)}%`
}
