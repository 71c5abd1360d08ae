import { expect } from '@playwright/test'

/** What was measured, beside the most it may be, or what it must be. */
export type Figure = { what: string; value: number; unit?: string } & ({ bound: number } | { exactly: number })

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

function sentence(figure: Figure): string {
  const unit = figure.unit === undefined ? '' : ` ${figure.unit}`
  const promised =
    'bound' in figure ? `bound ${number.format(figure.bound)}` : `must be ${number.format(figure.exactly)}`
  return `${figure.what} ${number.format(figure.value)}${unit} (${promised})`
}

/** Prints a row's figures in one line, then fails when one of them is not as promised. */
export function report(row: number, title: string, figures: Figure[]): void {
  console.log(`fault ${row} · ${title}: ${figures.map(sentence).join(', ')}`)
  for (const figure of figures) {
    if ('bound' in figure) expect(figure.value, sentence(figure)).toBeLessThanOrEqual(figure.bound)
    else expect(figure.value, sentence(figure)).toBe(figure.exactly)
  }
}

/** What work answered, and how long it took in milliseconds. */
export async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const began = performance.now()
  return { value: await work(), ms: performance.now() - began }
}

/** The middle one of several figures. */
export const median = (figures: number[]): number =>
  [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? Number.NaN

/** How many milliseconds pass until something is true; asked every few milliseconds. @throws when it is not in 60 s */
export async function msUntil(isTrue: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() - began > 60_000) throw new Error('it did not come true within 60 s')
    await new Promise((done) => setTimeout(done, 20))
  }
  return performance.now() - began
}
