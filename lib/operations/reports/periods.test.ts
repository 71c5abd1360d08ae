import { expect, test } from 'vitest'
import { periodsBetween, requirePeriods, twelveMonthsTo } from './periods'

test.each([
  ['2026-11-16', '2026-11-22', 'week', 1],
  ['2026-11-15', '2026-11-16', 'week', 2],
  ['2026-11-22', '2026-11-23', 'week', 2],
  ['1969-12-28', '1969-12-29', 'week', 2],
  ['2026-11-30', '2026-12-01', 'month', 2],
  ['2025-12-31', '2026-01-01', 'month', 2],
  ['2026-01-01', '2026-12-31', 'month', 12],
] as const)('%s to %s touches by %s: %i', (from, to, by, count) => expect(periodsBetween(from, to, by)).toBe(count))

test.each([
  ['2026-11-20', '2025-12-01'],
  ['2026-12-31', '2026-01-01'],
  ['2024-02-29', '2023-03-01'],
])('the twelve months to %s begin on %s', (day, first) => expect(twelveMonthsTo(day)).toBe(first))

test('days in the wrong order are refused', () => {
  expect(() => requirePeriods('2026-11-21', '2026-11-20', 'month')).toThrow('from: 2026-11-21 is after 2026-11-20')
})
