import { expect, test } from 'vitest'
import { ndcg, quantile, recall } from './metrics'

const judged = new Map([
  ['a', 3],
  ['b', 2],
  ['c', 1],
  ['d', 0],
])

test('nDCG: worked by hand', () => {
  expect(ndcg(['a', 'b', 'c'], judged, 10)).toBe(1)
  // Gains 2, 0, 3 at log2 of 2, 3, 4: 2 + 0 + 3/2 = 3.5. Ideal 3 + 2/log2(3) + 1/2 = 3 + 1.26186 + 0.5 = 4.76186.
  expect(ndcg(['b', 'x', 'a'], judged, 10)).toBeCloseTo(3.5 / 4.76186, 5)
  // Ranks beyond the depth do not count, not even in the ideal ranking: 2 / (3 + 1.26186).
  expect(ndcg(['b', 'x', 'a'], judged, 2)).toBeCloseTo(2 / 4.26186, 5)
  expect(ndcg(['x', 'd'], judged, 10)).toBe(0)
  expect(ndcg(['a'], new Map(), 10)).toBe(0)
})

test('recall: useful documents only, within the depth', () => {
  expect(recall(['a', 'd', 'x', 'c'], judged, 50)).toBeCloseTo(2 / 3, 10)
  expect(recall(['a', 'd', 'x', 'c'], judged, 3)).toBeCloseTo(1 / 3, 10)
  expect(recall(['d'], new Map([['d', 0]]), 50)).toBe(0)
})

test('quantile: the middle and the upper end', () => {
  expect(quantile([5, 1, 3])).toBe(3)
  expect(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.95)).toBe(10)
})
