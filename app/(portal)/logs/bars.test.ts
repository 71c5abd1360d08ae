import { expect, test } from 'vitest'
import { stepWords, withoutGaps } from './bars'

const PERIOD = { from: '2026-11-20T08:00:30.000Z', to: '2026-11-20T08:10:00.000Z', step: 60 }

test('bars are placed by time in a period without gaps', () => {
  const bars = withoutGaps(
    [
      { at: '2026-11-20T08:00:00.000Z', requests: 1, errors: 1 },
      { at: '2026-11-20T08:09:00.000Z', requests: 1_000, errors: 0 },
    ],
    PERIOD,
  )
  expect(bars).toHaveLength(10)
  expect(bars.map(({ requests }) => requests)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 1_000])
  expect(bars[1]).toEqual({ at: '2026-11-20T08:01:00.000Z', requests: 0, errors: 0 })
})

test('bars outside the period are counted at its edges', () => {
  const bars = withoutGaps(
    [
      { at: '2026-11-20T07:00:00.000Z', requests: 3, errors: 1 },
      { at: '2026-11-20T08:00:00.000Z', requests: 2, errors: 0 },
      { at: '2026-11-20T09:00:00.000Z', requests: 4, errors: 0 },
    ],
    PERIOD,
  )
  expect([bars[0], bars[9]]).toMatchObject([
    { requests: 5, errors: 1 },
    { requests: 4, errors: 0 },
  ])
})

test.each([
  [1, 'second'],
  [30, '30 seconds'],
  [60, 'minute'],
  [900, '15 minutes'],
  [3_600, 'hour'],
  [86_400, 'day'],
])('%d seconds are %s', (seconds, words) => expect(stepWords(seconds)).toBe(words))
