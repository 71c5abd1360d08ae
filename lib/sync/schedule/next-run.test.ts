import { expect, test } from 'vitest'
import { minuteOf, nextRun } from './next-run'

const after = (text: string, every: 'hour' | 'day' | 'week', hour: number | null, weekday: number | null = null) =>
  nextRun({ every, hour, weekday }, 'America/New_York', 30, new Date(text)).toISOString()

test('hourly runs have their own minute', () => {
  expect(after('2026-11-20T10:29:59.999Z', 'hour', null)).toBe('2026-11-20T10:30:00.000Z')
  expect(after('2026-11-20T10:30:00.000Z', 'hour', null)).toBe('2026-11-20T11:30:00.000Z')
  expect(minuteOf('src_01k9zq2v6n8m4t5c3b7x1w0jd2')).toBeLessThan(60)
})

test('nightly and weekly runs are at an hour of the contractor’s clocks', () => {
  expect(after('2026-11-20T10:00:00Z', 'day', 2)).toBe('2026-11-21T07:30:00.000Z')
  expect(after('2026-11-20T07:29:00Z', 'day', 2)).toBe('2026-11-20T07:30:00.000Z')
  // Late in the evening it is the next day in UTC already.
  expect(after('2026-11-21T03:00:00Z', 'day', 23)).toBe('2026-11-21T04:30:00.000Z')
  expect(after('2026-11-20T10:00:00Z', 'week', 2, 1)).toBe('2026-11-23T07:30:00.000Z')
  expect(after('2026-11-23T07:30:00Z', 'week', 2, 1)).toBe('2026-11-30T07:30:00.000Z')
})

test('when clocks change, each day still has one run', () => {
  // 2026-03-08: 2:00 is 3:00. 2026-11-01: 1:00 to 2:00 comes twice.
  expect(after('2026-03-07T08:00:00Z', 'day', 2)).toBe('2026-03-08T07:30:00.000Z')
  expect(after('2026-03-08T07:30:00Z', 'day', 2)).toBe('2026-03-09T06:30:00.000Z')
  expect(after('2026-10-31T12:00:00Z', 'day', 1)).toBe('2026-11-01T05:30:00.000Z')
  expect(after('2026-11-01T05:30:00Z', 'day', 1)).toBe('2026-11-02T06:30:00.000Z')
})
