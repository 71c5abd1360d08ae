import { expect, test } from 'vitest'
import { pauseBefore } from './primary'

test('a dead worker restarts after a growing pause, and no more after five deaths in half a minute', () => {
  const deaths = [1_000, 2_000, 3_000, 4_000, 5_000]
  const pauses = deaths.map((at, i) => pauseBefore(deaths.slice(0, i + 1), at))
  expect(pauses).toEqual([100, 200, 400, 800, undefined])
})

test('deaths long ago do not count', () => {
  expect(pauseBefore([1_000, 2_000, 3_000, 4_000, 60_000], 60_000)).toBe(100)
})
