import { expect, test } from 'vitest'
import * as z from 'zod'
import { edgeOf, readDay } from './read-day'
import { tools } from './tools'

/** A Friday. */
const TODAY = '2026-11-27'

test.each([
  ['2026-10', '2026-10-01', '2026-10-31'],
  ['2024-2', '2024-02-01', '2024-02-29'],
  ['2026', '2026-01-01', '2026-12-31'],
  ['2026-Q3', '2026-07-01', '2026-09-30'],
  ['Q4 2026', '2026-10-01', '2026-12-31'],
  ['October 2026', '2026-10-01', '2026-10-31'],
  ['Sept 2026', '2026-09-01', '2026-09-30'],
  ['Oct 5, 2026', '2026-10-05', '2026-10-05'],
  ['5 October 2026', '2026-10-05', '2026-10-05'],
  ['2026-1-5', '2026-01-05', '2026-01-05'],
  ['2026-10-05T00:00:00Z', '2026-10-05', '2026-10-05'],
  ['today', TODAY, TODAY],
  ['Yesterday', '2026-11-26', '2026-11-26'],
  ['this week', '2026-11-23', '2026-11-29'],
  ['last week', '2026-11-16', '2026-11-22'],
  ['last month', '2026-10-01', '2026-10-31'],
  ['last_month', '2026-10-01', '2026-10-31'],
  ['last-month', '2026-10-01', '2026-10-31'],
  ['this quarter', '2026-10-01', '2026-12-31'],
  ['last quarter', '2026-07-01', '2026-09-30'],
  ['next quarter', '2027-01-01', '2027-03-31'],
  ['last year', '2025-01-01', '2025-12-31'],
  ['30 days ago', '2026-10-28', '2026-10-28'],
  ['last 30 days', '2026-10-28', TODAY],
  ['past 2 weeks', '2026-11-13', TODAY],
])('%s is from %s to %s', (text, first, last) => {
  expect([readDay(text, 'first', TODAY), readDay(text, 'last', TODAY)]).toEqual([first, last])
  expect(readDay(text, 'day', TODAY)).toBe(first === last ? first : undefined)
})

test.each([
  '2026-02-30',
  '2026-13',
  '10/11/2026',
  'soon',
  'constructor',
  '0026-10',
  '',
  '2026-10-05T09:30:00',
  'x'.repeat(10_000),
])('%s is no day', (text) => {
  expect(readDay(text, 'first', TODAY)).toBeUndefined()
})

const PLAIN_DAY = '2026-10-05'

test.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s takes days where names say so, and only there',
  (_, { input }) => {
    for (const [field, schema] of Object.entries(input.shape)) {
      const takes = (value: string) => z.safeParse(schema, value).success
      const isDay = takes(PLAIN_DAY) && !takes('Dana-Whitfield')
      expect(edgeOf(field) !== undefined, field).toBe(isDay && field !== 'updatedAfter')
    }
  },
)
