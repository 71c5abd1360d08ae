import { expect, test } from 'vitest'
import type { Observation } from '@/db/queries/materials'
import { amountOf } from '@/lib/core/money'
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

const on = (seenThen: Observation[], ahead: Observation[] = []) => ({ seen: seenThen, ahead })

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
    unitCost: { low: 100_100n, expected: 130_000n, high: 155_000n },
    prices: 4,
    oldest: '2026-09-01',
    newest: '2026-11-10',
    stale: false,
    suppliers: ['A', 'B'],
    offers: [
      { supplier: 'A', region: null, cost: 120_000n, day: '2026-11-10' },
      { supplier: 'B', region: null, cost: 140_000n, day: '2026-11-01' },
    ],
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
    unitCost: { low: 80_000n, expected: 85_000n, high: 90_000n },
    prices: 2,
    stale: true,
  })
})

test('2.75 yd3 at 178.33 = 490.4075 -> 490.41; 3 x 0.10 = 0.30; markup 15 % of 490.71 = 73.6065 -> 73.61; tax 9.25 % = 45.390675 -> 45.39', () => {
  const book = [seen('mix', '178.33', '2026-11-02'), seen('clip', '0.10', '2026-11-02')]
  const { materials, markup, tax, total } = priceProject([want('mix', 2.75), want('clip', 3)], on(book), {
    ...TERMS,
    markupPercent: 15,
    taxPercent: 9.25,
  })
  expect([materials, markup, tax, total].map((range) => amountOf(range?.expected ?? 0n))).toEqual([
    490.71, 73.61, 45.39, 609.71,
  ])
})

test('tax on materials and markup: 100 + 20 % = 120, 10 % of it = 12, in all 132', () => {
  const { tax, total } = priceProject([want('x', 10)], on([seen('x', '10.00', '2026-11-02')]), {
    ...TERMS,
    markupPercent: 20,
    taxPercent: 10,
    taxOn: 'materials_and_markup',
  })
  expect([tax?.expected, total?.expected]).toEqual([1200n, 13200n])
})

test('items without a price in this unit and currency are listed with the reason, and are in no sum', () => {
  const book = [seen('x', '10.00', '2026-11-02'), seen('y', '7.00', '2026-11-02', 'A', { currency: 'CAD' })]
  const { missing, lines, total } = priceProject(
    [want('x', 2, 'EA'), want('x', 2, 'm3'), want('y', 1), want('z', 1)],
    on(book),
    TERMS,
  )
  expect(missing.map(({ item, reason }) => [item, reason])).toEqual([
    ['x', 'priced by each, not by m3'],
    ['y', 'priced in CAD only'],
    ['z', 'not in the price book'],
  ])
  expect([lines.length, total?.high]).toEqual([1, 2000n])
})

test('a hundred lines of a dime add up to ten dollars, not to 9.99999', () => {
  const lines = Array.from({ length: 100 }, (_, i) => want(`i${i}`, 1))
  const book = lines.map(({ item }) => seen(item, '0.10', '2026-11-02'))
  expect(priceProject(lines, on(book), TERMS).total?.low).toBe(1000n)
})

test('unit costs of four decimals are not rounded: 2,000 x 0.0475 = 95.00, of 0.0475 and 0.0476 the middle is 0.04755 -> 0.0476', () => {
  const { lines } = priceProject([want('screw', 2_000)], on([seen('screw', '0.0475', '2026-11-02')]), TERMS)
  expect(lines).toMatchObject([{ unitCost: { expected: 475n }, total: { expected: 9500n } }])
  const two = [seen('screw', '0.0475', '2026-11-02', 'A'), seen('screw', '0.0476', '2026-11-02', 'B')]
  expect(quoteOf(two, '2026-11-20')?.unitCost).toEqual({ low: 475n, expected: 476n, high: 476n })
})

test('a price dated ahead is told with its day, in the unit and currency asked for; sums of nothing are null', () => {
  const later = [
    seen('x', '5.25', '2027-01-01'),
    seen('x', '99.00', '2027-01-01', 'A', { unit: 'box' }),
    seen('x', '6.00', '2027-02-01'),
  ]
  const { missing, materials, labor, markup, tax, total } = priceProject(
    [want('x', 2, 'ea'), want('x', 2, 'roll'), want('y', 1)],
    on([], later),
    TERMS,
  )
  expect(missing.map(({ reason }) => reason)).toEqual([
    'no price before 2027-01-01; from that day 5.25 USD by each',
    'not in the price book',
    'not in the price book',
  ])
  expect([materials, labor, markup, tax, total]).toEqual([null, null, null, null, null])
})
