/** A span of the contractor's days that people ask for by name. */
export type Period = { name: string; from: string; to: string }

const day = (at: Date) => at.toISOString().slice(0, 10)

/** Returns the spans that stand beside a list's days, for the contractor's present day. */
export function periodsAt(today: string): Period[] {
  const [year = 0, month = 0, date = 0] = today.split('-').map(Number)
  const utc = (ofMonth: number, ofDate: number) => day(new Date(Date.UTC(year, month - 1 + ofMonth, ofDate)))
  const yesterday = utc(0, date - 1)
  return [
    { name: 'Today', from: today, to: today },
    { name: 'Yesterday', from: yesterday, to: yesterday },
    { name: 'This month', from: utc(0, 1), to: utc(1, 0) },
    { name: 'Last month', from: utc(-1, 1), to: utc(0, 0) },
  ]
}
