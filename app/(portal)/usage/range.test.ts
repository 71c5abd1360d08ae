import { expect, test } from 'vitest'
import { rangeOf } from './range'

const NOW = new Date('2026-11-21T10:25:00.000Z')

// Calculated manually: at 10:25, the last of 24 hours is 10:00, so the first is 11:00 on the day before. The first of 168 hours is 11:00 seven
// days before. The first of 30 days is October 23, from which 29 days and 11 started hours lead to 10:00.
test.each([
  ['24h', '2026-11-20T11:00:00.000Z', 'hour', 24],
  ['7d', '2026-11-14T11:00:00.000Z', 'hour', 168],
  ['30d', '2026-10-23T00:00:00.000Z', 'day', 29 * 24 + 11],
])('%s', (name, from, by, hours) => {
  expect(rangeOf(name, NOW)).toEqual({ name, from: new Date(from), by, hours })
})

test.each([undefined, '', '1y', 'toString', ['7d', '24h']])('%j means 24 hours', (wanted) =>
  expect(rangeOf(wanted, NOW)).toEqual(rangeOf('24h', NOW)),
)

test('the 30-day range has 30 days at any time of day, and never more hours than are stored', () => {
  expect(rangeOf('30d', new Date('2026-11-21T23:59:59.999Z'))).toMatchObject({ hours: 720 })
  expect(rangeOf('30d', new Date('2026-11-21T00:00:00.000Z'))).toMatchObject({ hours: 697 })
})
