import { describe, expect, test } from 'vitest'
import {
  amountOf,
  centsOf,
  hasThousandths,
  parseMoney,
  percentOf,
  productInCents,
  thousandths,
  timesQuantity,
  unitAmountOf,
  unitCostOf,
} from './money'

describe('parseMoney', () => {
  test.each([
    ['$1,250.00', '1250.00'],
    ['1250', '1250.00'],
    ['75.5', '75.50'],
    ['.5', '0.50'],
    ['(75.50)', '-75.50'],
    ['<75.50>', '-75.50'],
    ['<$75.50>', '-75.50'],
    ['($1,075.50)', '-1075.50'],
    ['-$75.50', '-75.50'],
    ['$-75.50', '-75.50'],
    ['75.50-', '-75.50'],
    ['USD 12', '12.00'],
    ['0012.30', '12.30'],
    ['-0', '0.00'],
    [' $ 1,000,000.01 ', '1000000.01'],
  ])('%s is %s', (text, amount) => expect(parseMoney(text)).toBe(amount))

  test.each([
    '',
    '.',
    '$',
    '12.345',
    '1,25',
    '1.250,00',
    '12,34,567',
    'free',
    '1e3',
    '(-5)',
    '<5)',
    '--5',
    '1234567890123.00',
    '5 5 x',
  ])('%s is no amount', (text) => expect(parseMoney(text)).toBeUndefined())
})

test.each([
  ['12.34', 1234n],
  ['0.05', 5n],
  ['-7.10', -710n],
  ['999999999999.99', 99999999999999n],
])('%s is %d cents', (text, cents) => expect(centsOf(text)).toBe(cents))

test('cents are converted to the number that prints the same', () => {
  for (const cents of [0n, 5n, 10n, 1234n, 99999999999999n]) {
    const text = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
    expect(amountOf(cents)).toBe(Number(text))
    expect(amountOf(cents).toFixed(2)).toBe(text)
  }
  expect(() => amountOf(10n ** 16n)).toThrow(/too large/)
})

test('quantities have three decimals, halves of a cent are rounded up', () => {
  expect([2.75, 0.001, 40, 0.1 + 0.2].map(hasThousandths)).toEqual([true, true, true, false])
  expect([2.75, 0.001, 40, 1_000_000].map(thousandths)).toEqual([2750n, 1n, 40_000n, 1_000_000_000n])
  expect(timesQuantity(33_300n, thousandths(0.5))).toBe(167n) // 1.665
  expect(timesQuantity(10_100n, thousandths(1.005))).toBe(102n) // 1.01505
  expect(['38.00', '0.0475', '7', '12.5'].map(unitCostOf)).toEqual([380_000n, 475n, 70_000n, 125_000n])
  expect([380_000n, 475n, 125_000n].map(unitAmountOf)).toEqual([38, 0.0475, 12.5])
  expect(timesQuantity(475n, thousandths(2_000))).toBe(9500n)
  expect(percentOf(10_000n, thousandths(9.25))).toBe(925n)
  expect(percentOf(10n, thousandths(5))).toBe(1n) // 0.5 cents
  expect(percentOf(9n, thousandths(5))).toBe(0n) // 0.45 cents
})

test.each([
  ['3', '12.50', 3750n],
  ['1.5', '0.67', 101n],
  ['3', '0.335', 101n],
  ['-2', '0.0025', -1n],
  ['1.005', '1', 101n],
  ['', '4', undefined],
  ['2', 'each', undefined],
])('%s times %s is exact, with half a cent away from zero', (quantity, price, cents) => {
  expect(productInCents(quantity, price)).toBe(cents)
})
