import { expect } from '@playwright/test'

/** A measurement and its upper bound or exact value; `told` is one that nothing is promised of. */
export type Figure = { what: string; value: number; unit?: string } & (
  | { bound: number }
  | { exactly: number }
  | { told: true }
)

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

function sentence(figure: Figure): string {
  const unit = figure.unit === undefined ? '' : ` ${figure.unit}`
  const told = `${figure.what} ${number.format(figure.value)}${unit}`
  if ('told' in figure) return told
  const promised =
    'bound' in figure ? `bound ${number.format(figure.bound)}` : `must be ${number.format(figure.exactly)}`
  return `${told} (${promised})`
}

/** Prints a row's measurements on one line, then fails if any of them breaks its promise. */
export function report(row: number, title: string, figures: Figure[]): void {
  console.log(`fault ${row} · ${title}: ${figures.map(sentence).join(', ')}`)
  for (const figure of figures) {
    if ('bound' in figure) expect(figure.value, sentence(figure)).toBeLessThanOrEqual(figure.bound)
    else if ('exactly' in figure) expect(figure.value, sentence(figure)).toBe(figure.exactly)
  }
}

/** Returns the result of some work and its duration in milliseconds. */
export async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const began = performance.now()
  return { value: await work(), ms: performance.now() - began }
}

/** Returns the median of several figures. */
export const median = (figures: number[]): number =>
  [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? Number.NaN

/** Polls until a condition holds and returns the milliseconds it took. @throws when it takes longer than `most` seconds */
export async function msUntil(isTrue: () => Promise<boolean>, most = 60): Promise<number> {
  const began = performance.now()
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() - began > most * 1000) throw new Error(`it did not come true within ${most} s`)
    await new Promise((done) => setTimeout(done, 20))
  }
  return performance.now() - began
}
