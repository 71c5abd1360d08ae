import { expect, test } from 'vitest'
import { daysBefore, isPartial, periodsBetween, requirePeriods, twelveMonthsTo } from './periods'

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

test.each([
  ['2026-10-01', '2026-11-20', 'customer', '2026-08-01', '2026-09-20'],
  ['2026-10-01', '2026-11-20', 'quarter', '2026-07-01', '2026-08-20'],
  ['2026-10-01', '2026-12-31', 'trade', '2026-07-01', '2026-09-30'],
  ['2026-01-01', '2026-11-20', 'year', '2025-01-01', '2025-11-20'],
  ['2024-03-01', '2024-03-31', 'month', '2024-02-01', '2024-02-29'],
  ['2026-11-16', '2026-11-22', 'customer', '2026-11-09', '2026-11-15'],
] as const)('%s to %s by %s is compared with %s to %s', (from, to, by, first, last) =>
  expect(daysBefore(from, to, by)).toEqual({ from: first, to: last }),
)

test.each([
  ['2026-10', '2026-11-20', 'month', false],
  ['2026-11', '2026-11-20', 'month', true],
  ['2026-11', '2026-11-30', 'month', false],
  ['2026-12', '2026-11-30', 'month', true],
  ['2026-Q3', '2026-11-20', 'quarter', false],
  ['2026-Q4', '2026-11-20', 'quarter', true],
  ['2026-Q4', '2026-12-31', 'quarter', false],
  ['2026', '2026-12-30', 'year', true],
  ['2026', '2026-12-31', 'year', false],
])('%s up to %s is partial: %s %s', (name, last, by, partial) => expect(isPartial(name, last, by)).toBe(partial))
