import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyIn, decimalsShown, orderShown, plainAmount, plainDate } from './values'

const UTC = { dates: 'mdy', zone: 'UTC' } as const
const BY_DAY = { dates: 'dmy', zone: 'UTC' } as const
const CHICAGO = { dates: 'mdy', zone: 'America/Chicago' } as const

describe('a date', () => {
  test.each([
    ['04/02/2025', UTC, '2025-04-02'],
    ['04/02/2025', BY_DAY, '2025-02-04'],
    ['4-2-25', BY_DAY, '2025-02-04'],
    ['04.02.2025', UTC, '2025-02-04'],
    ['2025/2/4', UTC, '2025-02-04'],
    ['Feb 4, 2025', BY_DAY, '2025-02-04'],
    ['February 4 2025', UTC, '2025-02-04'],
    ['4-Feb-25', UTC, '2025-02-04'],
    ['4 février 2025', UTC, '2025-02-04'],
    ['4. März 2025', UTC, '2025-03-04'],
    ['4 ago 2025', UTC, '2025-08-04'],
    ['45692', UTC, '2025-02-04'],
    ['2025-02-04 14:03:11', UTC, '2025-02-04T14:03:11.000Z'],
    ['2025-02-04 14:03:11', CHICAGO, '2025-02-04T20:03:11.000Z'],
    ['07/04/2025 2:15 AM', CHICAGO, '2025-07-04T07:15:00.000Z'],
    ['07/04/2025 12:15 am', CHICAGO, '2025-07-04T05:15:00.000Z'],
    ['07/04/2025, 12:15 p.m.', CHICAGO, '2025-07-04T17:15:00.000Z'],
    ['2025-02-04 14:03 UTC', CHICAGO, '2025-02-04T14:03:00Z'],
  ])('%s of %j is %s', (text, notation, date) => {
    expect(plainDate(text, notation)).toBe(date)
  })

  test.each(['', 'soon', 'Net 30', '04/02/2025 or later', '1,234.50', '#REF!'])('%j is none, and stays', (text) => {
    expect(plainDate(text, UTC)).toBe(text)
  })

  test.each([
    ['04/02/2025', 'either'],
    ['25/02/2025', 'dmy'],
    ['02/25/2025', 'mdy'],
    ['03/03/2025', undefined],
    ['25.02.2025', undefined],
    ['2025-02-04', undefined],
    ['31/31/2025', undefined],
  ])('%s shows %s', (text, order) => {
    expect(orderShown(text)).toBe(order)
  })

  test('every day is read back from either order', () => {
    const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(days, (date) => {
        const iso = date.toISOString().slice(0, 10)
        const [y, m, d] = iso.split('-')
        expect([plainDate(`${m}/${d}/${y}`, UTC), plainDate(`${d}/${m}/${y}`, BY_DAY)]).toEqual([iso, iso])
      }),
    )
  })
})

describe('an amount', () => {
  test.each([
    ['$1,234.50', '.', '1,234.50'],
    ['CA$10.00', '.', '10.00'],
    ['C$400', '.', '400'],
    ['CAD 20.00', '.', '20.00'],
    ['20.00 USD', '.', '20.00'],
    ['1 234.50', '.', '1234.50'],
    ['1’234.50', '.', '1234.50'],
    ['100.00 CR', '.', '-100.00'],
    ['100.00 DR', '.', '100.00'],
    ['$(100.00)', '.', '(100.00)'],
    ['1.234,56 €', ',', '1234.56'],
    ['1.250', ',', '1250'],
    ['-50,00', ',', '-50.00'],
    ['CADRE', '.', 'CADRE'],
  ] as const)('%s with %j is %s', (text, decimals, amount) => {
    expect(plainAmount(text, decimals)).toBe(amount)
  })

  test.each([
    ['€100.00', 'EUR'],
    ['100,00 €', 'EUR'],
    ['£5', 'GBP'],
    ['CAD 200.00', 'CAD'],
    ['CA$10', 'CAD'],
    ['C$10', 'CAD'],
    ['A$10', 'AUD'],
    ['NZ$10', 'NZD'],
    ['US$10', 'USD'],
    ['Total (EUR)', 'EUR'],
    ['$10.00', undefined],
    ['10.00', undefined],
    ['CADRE', undefined],
  ])('%s is in %s', (text, currency) => {
    expect(currencyIn(text)).toBe(currency)
  })

  test.each([
    ['1,234.50', '.'],
    ['1.234,50', ','],
    ['12,5', ','],
    ['1.5', '.'],
    ['1,234', undefined],
    ['1.234', undefined],
    ['1.234.567', ','],
    ['1,234,567', '.'],
    ['100', undefined],
  ])('%s shows %j', (text, mark) => {
    expect(decimalsShown(text)).toBe(mark)
  })
})
