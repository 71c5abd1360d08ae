import { expect, test } from 'vitest'
import { grouped } from './grouped'

test.each([0, 7, 999, 1_000, 10_000, 123_456, 1_000_000, 9_007_199_254_740_991])('%d is written as Intl does', (n) =>
  expect(grouped(n)).toBe(n.toLocaleString('en-US')),
)
