type Checked = { checks: number; faults: number }

/** The share of failed checks above which a day counts as bad; it is one hour of a day. */
const BAD = 1 / 24

/** Returns the tone of a day: no checks, all passed, some failed, or many failed. */
export function dayTone({ checks, faults }: Checked): 'none' | 'good' | 'warn' | 'danger' {
  if (checks === 0) return 'none'
  if (faults === 0) return 'good'
  return faults / checks > BAD ? 'danger' : 'warn'
}

/** Returns the share of passed checks, never rounded up to 100%; undefined without checks. */
export function uptimeOf(days: Checked[]): string | undefined {
  const checks = days.reduce((sum, day) => sum + day.checks, 0)
  const faults = days.reduce((sum, day) => sum + day.faults, 0)
  if (checks === 0) return undefined
  return `${(Math.floor((1 - faults / checks) * 10_000) / 100).toFixed(2)}%`
}
