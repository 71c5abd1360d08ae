import { expect, test } from 'vitest'
import { dayPresets, periodPresets } from './periods'

const daysOf = (presets: ReturnType<typeof dayPresets>) =>
  Object.fromEntries(presets.map(({ name, days }) => [name, Object.values(days).join(' ')]))

test('days of a report end months, quarters and years that are over, also in January and on the last of a month', () => {
  expect(daysOf(dayPresets('2026-11-27'))).toEqual({
    Today: '2026-11-27',
    'End of last month': '2026-10-31',
    'End of last quarter': '2026-09-30',
    'End of last year': '2025-12-31',
  })
  expect(daysOf(dayPresets('2027-01-31'))).toMatchObject({
    'End of last month': '2026-12-31',
    'End of last quarter': '2026-12-31',
  })
})

test('periods are whole months, quarters and years, or go to today', () => {
  expect(daysOf(periodPresets('2028-03-31'))).toEqual({
    'This month': '2028-03-01 2028-03-31',
    'Last month': '2028-02-01 2028-02-29',
    'This quarter': '2028-01-01 2028-03-31',
    'This year': '2028-01-01 2028-03-31',
    '12 months': '2027-04-01 2028-03-31',
    'Last year': '2027-01-01 2027-12-31',
  })
})
