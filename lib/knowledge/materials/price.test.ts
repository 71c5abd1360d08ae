import { expect, test } from 'vitest'
import { amountOf } from '@/lib/core/cents'
import { priceProject, type Terms } from './price'
import { daysBefore, median, quoteOf } from './quote'

const seen = (item: string, cost: string, day: string, supplier: string | null = 'A', more = {}) => ({
  item,
  name: `The ${item}`,
  trade: null,
  unit: 'each',
  currency: 'USD',
  region: null,
  cost,
  day,
  supplier,
  ...more,
})
const TERMS: Terms = {
  currency: 'USD',
  asOf: '2026-11-20',
  region: undefined,
  markupPercent: 0,
  taxPercent: 0,
  taxOn: 'materials',
}
const want = (item: string, quantity: number, unit: string | null = null) => ({ item, name: null, quantity, unit })

test('180 days before 2026-11-20 is 2026-05-24; that day still counts, the day before is stale', () => {
  expect(daysBefore('2026-11-20', 180)).toBe('2026-05-24')
  expect(quoteOf([seen('x', '1.00', '2026-05-24')], '2026-11-20')?.stale).toBe(false)
  expect(quoteOf([seen('x', '1.00', '2026-05-23')], '2026-11-20')?.stale).toBe(true)
})

test('low and high come from all recent prices, expected is the median of each supplier’s newest', () => {
  const prices = [
    seen('x', '12.00', '2026-11-10', 'A'),
    seen('x', '14.00', '2026-11-01', 'B'),
    seen('x', '10.01', '2026-10-01', 'A'),
    seen('x', '15.50', '2026-09-01', 'B'),
    seen('x', '99.00', '2026-01-01', 'A'),
  ]
  expect(quoteOf(prices, '2026-11-20')).toEqual({
    unitCost: { low: 1001n, expected: 1300n, high: 1550n },
    prices: 4,
    oldest: '2026-09-01',
    newest: '2026-11-10',
    stale: false,
    suppliers: ['A', 'B'],
  })
  expect([median([3n, 1n, 2n]), median([1n, 2n]), median([5n])]).toEqual([2n, 2n, 5n])
})

test('with only old prices, those of the last day are used and marked stale', () => {
  const prices = [
    seen('x', '9.00', '2025-03-01', 'A'),
    seen('x', '8.00', '2025-03-01', 'B'),
    seen('x', '1.00', '2024-03-01', 'A'),
  ]
  expect(quoteOf(prices, '2026-11-20')).toMatchObject({
    unitCost: { low: 800n, expected: 850n, high: 900n },
    prices: 2,
    stale: true,
  })
})

test('2.75 yd3 at 178.33 = 490.4075 -> 490.41; 3 x 0.10 = 0.30; markup 15 % of 490.71 = 73.6065 -> 73.61; tax 9.25 % = 45.390675 -> 45.39', () => {
  const book = [seen('mix', '178.33', '2026-11-02'), seen('clip', '0.10', '2026-11-02')]
  const { materials, markup, tax, total } = priceProject([want('mix', 2.75), want('clip', 3)], book, {
    ...TERMS,
    markupPercent: 15,
    taxPercent: 9.25,
  })
  expect([materials, markup, tax, total].map(({ expected }) => amountOf(expected))).toEqual([
    490.71, 73.61, 45.39, 609.71,
  ])
})

test('tax on materials and markup: 100 + 20 % = 120, 10 % of it = 12, in all 132', () => {
  const { tax, total } = priceProject([want('x', 10)], [seen('x', '10.00', '2026-11-02')], {
    ...TERMS,
    markupPercent: 20,
    taxPercent: 10,
    taxOn: 'materials_and_markup',
  })
  expect([tax.expected, total.expected]).toEqual([1200n, 13200n])
})

test('items without a price in this unit and currency are listed with the reason, and are in no sum', () => {
  const book = [seen('x', '10.00', '2026-11-02'), seen('y', '7.00', '2026-11-02', 'A', { currency: 'CAD' })]
  const { missing, lines, total } = priceProject(
    [want('x', 2, 'EA'), want('x', 2, 'm3'), want('y', 1), want('z', 1)],
    book,
    TERMS,
  )
  expect(missing.map(({ item, reason }) => [item, reason])).toEqual([
    ['x', 'priced by each, not by m3'],
    ['y', 'priced in CAD only'],
    ['z', 'not in the price book'],
  ])
  expect([lines.length, total.high]).toEqual([1, 2000n])
})

test('a hundred lines of a dime add up to ten dollars, not to 9.99999', () => {
  const lines = Array.from({ length: 100 }, (_, i) => want(`i${i}`, 1))
  const book = lines.map(({ item }) => seen(item, '0.10', '2026-11-02'))
  expect(amountOf(priceProject(lines, book, TERMS).total.low)).toBe(10)
})
