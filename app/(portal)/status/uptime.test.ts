import { expect, test } from 'vitest'
import { dayTone, uptimeOf } from './uptime'

test.each([
  [0, 0, 'none'],
  [1440, 0, 'good'],
  [1440, 60, 'warn'],
  [1440, 61, 'danger'],
] as const)('%i checks with %i faults are %s', (checks, faults, tone) => expect(dayTone({ checks, faults })).toBe(tone))

test('the share of passed checks is never rounded up', () => {
  expect(uptimeOf([])).toBeUndefined()
  expect(uptimeOf([{ checks: 1440, faults: 0 }])).toBe('100.00%')
  expect(
    uptimeOf([
      { checks: 100_000, faults: 1 },
      { checks: 0, faults: 0 },
    ]),
  ).toBe('99.99%')
})
