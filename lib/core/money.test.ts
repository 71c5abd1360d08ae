import { describe, expect, test } from 'vitest'
import { parseMoney } from './money'

describe('parseMoney', () => {
  test.each([
    ['$1,250.00', '1250.00'],
    ['1250', '1250.00'],
    ['75.5', '75.50'],
    ['.5', '0.50'],
    ['(75.50)', '-75.50'],
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
    '--5',
    '1234567890123.00',
    '5 5 x',
  ])('%s is no amount', (text) => expect(parseMoney(text)).toBeUndefined())
})
