import { expect, test } from 'vitest'
import { restAfter } from './search-queue'

test('the index takes a quarter of the time while that suffices, and a thirtieth in a flood', () => {
  const turn = { tookMs: 100, taken: 200 }
  // 200 changes in 400 ms are 0.5 a millisecond.
  expect([0, 0.01, 0.5].map((comePerMs) => restAfter({ ...turn, comePerMs }))).toEqual([300, 300, 300])
  expect([0.6, 3].map((comePerMs) => restAfter({ ...turn, comePerMs }))).toEqual([2_900, 2_900])
  // A turn that took long does not keep the next one away.
  expect(restAfter({ tookMs: 2_000, taken: 200, comePerMs: 3 })).toBe(4_000)
  expect(restAfter({ tookMs: 2_000, taken: 200, comePerMs: 0.01 })).toBe(1_000)
})
