import { expect, test } from 'vitest'
import { absolute, left, relative } from './moments'

const now = new Date('2026-11-20T12:00:00.000Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)

test('absolute: UTC to the minute, or to the second', () => {
  expect(absolute(new Date('2026-11-20T08:15:03.999Z'))).toBe('2026-11-20 08:15 UTC')
  expect(absolute(new Date('2026-11-20T08:15:03.999Z'), true)).toBe('2026-11-20 08:15:03 UTC')
})

test.each([
  [0, 'just now'],
  [-59, 'just now'],
  [-60, '1 minute ago'],
  [-3_540, '59 minutes ago'],
  [-3_599, '1 hour ago'],
  [7_200, 'in 2 hours'],
  [-86_400, 'yesterday'],
  [-3 * 86_400, '3 days ago'],
  [30 * 86_400, 'in 30 days'],
  [90 * 86_400, 'in 3 months'],
  [365 * 86_400 - 60, 'in 1 year'],
  [-400 * 86_400, '1 year ago'],
])('relative: %i s is %s', (seconds, words) => {
  expect(relative(after(seconds), now)).toBe(words)
})

test.each([
  [0, undefined],
  [-5, undefined],
  [1, '00:00:01'],
  [3_661, '01:01:01'],
  [86_399, '23:59:59'],
  [86_400, '1 d 00:00:00'],
  [3 * 86_400 + 14_706, '3 d 04:05:06'],
])('left: %i s is %s', (seconds, words) => {
  expect(left(after(seconds), now)).toBe(words)
})
