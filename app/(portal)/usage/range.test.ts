import { expect, test } from 'vitest'
import { wordsIn } from '@/lib/core/words'
import { byDay, rangeOf } from './range'

const NOW = new Date('2026-11-21T10:25:00.000Z')
const AT = { now: NOW, zone: 'America/Chicago' }

// Calculated manually: at 10:25, the last of 24 hours is 10:00, so the first is 11:00 on the day before. The first of 168 hours is 11:00 seven
// days before. In Chicago it is 4:25 on November 21; the first of 30 days is October 23, which began there at 5:00 UTC, in summer time. From
// then to November 21, 10:00 UTC are 29 days and 6 started hours.
test.each([
  ['24h', '2026-11-20T11:00:00.000Z', 'hour', 24],
  ['7d', '2026-11-14T11:00:00.000Z', 'hour', 168],
  ['30d', '2026-10-23T05:00:00.000Z', 'day', 29 * 24 + 6],
])('%s', (name, from, by, hours) => {
  expect(rangeOf(name, AT)).toEqual({ name, from: new Date(from), by, hours })
})

test.each([undefined, '', '1y', 'toString', ['7d', '24h']])('%j means 24 hours', (wanted) =>
  expect(rangeOf(wanted, AT)).toEqual(rangeOf('24h', AT)),
)

test.each(['America/Chicago', 'Pacific/Kiritimati'])(
  'the 30-day range has 30 days at any time of day, and never more hours than are stored (%s)',
  (zone) => {
    for (let hour = 0; hour < 48; hour++) {
      const now = new Date(Date.parse('2026-11-01T00:30:00.000Z') + hour * 3_600_000)
      const { from, hours } = rangeOf('30d', { now, zone })
      expect(hours).toBeLessThanOrEqual(720)
      const { dayOf } = wordsIn({ zone })
      const length = Math.floor((now.getTime() - from.getTime()) / 3_600_000) + 1
      const all = Array.from({ length }, (_, at) => new Date(from.getTime() + at * 3_600_000))
      expect(new Set(all.map(dayOf)).size, String(now)).toBe(30)
    }
  },
)

test('hours add up to the contractor’s days, of which one has 25 when clocks go back', () => {
  const hours = Array.from({ length: 27 }, (_, at) => ({
    at: new Date(Date.parse('2026-11-01T05:00:00.000Z') + at * 3_600_000).toISOString(),
    requests: 1,
    errors: at === 26 ? 1 : 0,
    limited: 0,
  }))
  expect(byDay(hours, wordsIn({ zone: 'America/Chicago' }))).toEqual([
    { at: '2026-11-01T05:00:00.000Z', requests: 25, errors: 0, limited: 0 },
    { at: '2026-11-02T06:00:00.000Z', requests: 2, errors: 1, limited: 0 },
  ])
})
