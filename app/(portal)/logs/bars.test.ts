import { expect, test } from 'vitest'
import { DRAWING, placeBars, stepWords } from './bars'

const PERIOD = { from: '2026-11-20T08:00:30.000Z', to: '2026-11-20T08:10:00.000Z', step: 60 }

test('bars are placed by time, side by side, with the busiest at full height', () => {
  const bars = placeBars(
    [
      { at: '2026-11-20T08:00:00.000Z', requests: 1, errors: 1 },
      { at: '2026-11-20T08:09:00.000Z', requests: 1_000, errors: 0 },
    ],
    PERIOD,
  )
  expect(bars.map(({ x }) => x)).toEqual([0, 540])
  expect(bars.map(({ height }) => height)).toEqual([1.5, DRAWING.height])
  expect(bars.map(({ errorHeight }) => errorHeight)).toEqual([1.5, 0])
  expect((bars[1]?.x ?? 0) + (bars[1]?.width ?? 0)).toBeLessThanOrEqual(DRAWING.width)
})

test('a bar outside the period is placed at its edge', () => {
  expect(placeBars([{ at: '2026-11-20T07:00:00.000Z', requests: 3, errors: 0 }], PERIOD)).toMatchObject([{ x: 0 }])
  expect(placeBars([{ at: '2026-11-20T09:00:00.000Z', requests: 3, errors: 0 }], PERIOD)).toMatchObject([{ x: 540 }])
})

test.each([
  [1, 'second'],
  [30, '30 seconds'],
  [60, 'minute'],
  [900, '15 minutes'],
  [3_600, 'hour'],
  [86_400, 'day'],
])('%d seconds are %s', (seconds, words) => expect(stepWords(seconds)).toBe(words))
