import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestStock, pieces } from './cutting'

test.each([
  ['8 bars of 19.5 ft from 20 ft: one each', [8, 19.5, 20, 2.5], 8, 156],
  ['14 bars of 9.5 ft: two from each of 7', [14, 9.5, 20, 2.5], 7, 133],
  [
    '2 bars of 60 ft lapped 30 in: 20 + 17.5 + 17.5 = 55, rest of 7.5 ft; three pieces each and one for both rests',
    [2, 60, 20, 2.5],
    7,
    135,
  ],
  ['one bar of 37.5 ft is two pieces with one lap', [1, 37.5, 20, 2.5], 2, 40],
  ['headers of 3.25 ft: 2 from an 8 ft piece', [4, 3.25, 8, 0], 2, 13],
] as const)('%s', (_, [runs, length, stock, lap], count, placed) => {
  expect(pieces(runs, length, stock, lap)).toEqual({ count, placed })
})

test('deck boards: the stock length that leaves least over, joined over joists', () => {
  const lumber = [8, 10, 12, 14, 16, 20]
  expect(bestStock(26, 16, lumber, 16 / 12)).toMatchObject({ stock: 16, count: 26 })
  expect(bestStock(26, 12, lumber, 16 / 12)).toMatchObject({ stock: 12, count: 26 })
  // 22 ft: 20 ft boards reach 15 spacings = 20 ft, with rests of 2 ft, ten from a board: 10 + 1 = 11 boards, the shortest total.
  expect(bestStock(10, 22, lumber, 16 / 12)).toMatchObject({ stock: 20, count: 11 })
})

test('joined over supports that no piece reaches, the work is refused with a reason', () => {
  expect(() => bestStock(2, 50, [8, 20], 22)).toThrow(/sold up to 20 long.*22 apart/)
})

test('pieces always hold what is placed, and never more than one piece a run too much', () => {
  const runs = fc.integer({ min: 1, max: 60 })
  const lengths = fc.double({ min: 0.5, max: 200, noNaN: true })
  fc.assert(
    fc.property(runs, lengths, fc.constantFrom(8, 16, 20), fc.constantFrom(0, 2.5), (count, length, stock, lap) => {
      const cut = pieces(count, length, stock, lap)
      expect(cut.count * stock).toBeGreaterThanOrEqual(cut.placed - 1e-6)
      expect(cut.count).toBeLessThanOrEqual(count * Math.ceil(length / (stock - lap) + 1))
      expect(pieces(count, length * 1.1, stock, lap).count).toBeGreaterThanOrEqual(cut.count)
      expect(pieces(count + 1, length, stock, lap).count).toBeGreaterThanOrEqual(cut.count)
    }),
  )
})
