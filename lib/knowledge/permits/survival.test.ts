import { expect, test } from 'vitest'
import { percentileOf, type Wait } from './survival'

const each = (days: number[]): Wait[] => days.map((day) => ({ days: day, issued: 1, open: 0 }))
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

test('without open applications it is the plain order statistic', () => {
  const waits = each(upTo(100))
  expect(percentileOf(waits, 0.5)?.days).toBe(50.5)
  expect(percentileOf(waits, 0.9)?.days).toBe(90.5)
  expect(percentileOf(each(upTo(99)), 0.5)?.days).toBe(50)
})

test('the leukemia data of Freireich (1963), as Kaplan–Meier texts give them: median 23, low bound 13, high bound open', () => {
  // 6-MP arm, 21 patients: 6,6,6,6+,7,9+,10,10+,11+,13,16,17+,19+,20+,22,23,25+,32+,32+,34+,35+
  const issued = [6, 6, 6, 7, 10, 13, 16, 22, 23]
  const open = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
  const waits = [...each(issued), ...open.map((days) => ({ days, issued: 0, open: 1 }))]
  const byDay = new Map<number, Wait>()
  for (const { days, ...counts } of waits) {
    const wait = byDay.get(days) ?? { days, issued: 0, open: 0 }
    byDay.set(days, { days, issued: wait.issued + counts.issued, open: wait.open + counts.open })
  }
  expect(percentileOf([...byDay.values()], 0.5)).toEqual({ days: 23, low: 13, high: null })
  expect(percentileOf([...byDay.values()], 0.9)).toBeUndefined()
})

test('open applications lengthen the wait, and never shorten it', () => {
  const waits = each(upTo(50))
  const open: Wait[] = [{ days: 30, issued: 0, open: 20 }]
  const merged = waits.map((wait) => (wait.days === 30 ? { ...wait, open: 20 } : wait))
  expect(open).toHaveLength(1)
  for (const share of [0.5, 0.9])
    expect(percentileOf(merged, share)?.days).toBeGreaterThanOrEqual(percentileOf(waits, share)?.days ?? 0)
  expect(percentileOf(merged, 0.5)?.days).toBeGreaterThan(percentileOf(waits, 0.5)?.days ?? 0)
})

test('the interval holds the true day in about 95 of 100 samples', () => {
  let state = 20261122
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
  // Exponential waits of mean 100 days, censored evenly over 0 to 400: the true median is 100·ln 2 = 69.3.
  let held = 0
  for (let round = 0; round < 400; round++) {
    const waits = Array.from({ length: 80 }, () => {
      const [wait, seen] = [-100 * Math.log(1 - next()), 400 * next()]
      return wait <= seen ? { days: wait, issued: 1, open: 0 } : { days: seen, issued: 0, open: 1 }
    })
    const found = percentileOf(waits, 0.5)
    if (found && (found.low ?? 0) <= 69.3 && 69.3 <= (found.high ?? Number.POSITIVE_INFINITY)) held++
  }
  expect(held / 400).toBeGreaterThan(0.92)
  expect(held / 400).toBeLessThan(0.985)
})
