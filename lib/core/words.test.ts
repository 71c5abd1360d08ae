import { expect, test } from 'vitest'
import { wordsIn } from './words'

const chicago = wordsIn({ locale: 'en-US', zone: 'America/Chicago', currency: 'USD' })
const NOW = new Date('2026-11-24T05:30:00Z')

test('the own currency by its sign, another one by its code', () => {
  expect([chicago.money(2860), chicago.money(-2.5), chicago.money(2860, 'EUR')]).toEqual([
    '$2,860.00',
    '-$2.50',
    'EUR 2,860.00',
  ])
  expect(wordsIn({ locale: 'en-CA', currency: 'CAD' }).money(5)).toBe('$5.00')
  expect([chicago.shortMoney(546_195), chicago.percent(0.325), chicago.number(1202)]).toEqual([
    '$546.2K',
    '32.5%',
    '1,202',
  ])
  expect([
    chicago.count(1, 'invoice'),
    chicago.count(1202, 'invoice'),
    chicago.count(0, 'delivery', 'deliveries'),
  ]).toEqual(['1 invoice', '1,202 invoices', '0 deliveries'])
})

test('today turns at the contractor’s midnight', () => {
  expect(chicago.dayOf(NOW)).toBe('2026-11-23')
  expect(chicago.moment(new Date('2026-11-23T18:27:03Z'), NOW)).toBe('Today 12:27 PM')
  expect(chicago.moment(new Date('2026-11-23T18:27:03Z'), NOW, true)).toBe('Today 12:27:03 PM')
  expect(chicago.moment(new Date('2026-11-23T05:59:59Z'), NOW)).toBe('Yesterday 11:59 PM')
  expect(chicago.moment(new Date('2026-11-20T22:05:00Z'), NOW)).toBe('Nov 20, 2026, 4:05 PM')
  expect(chicago.moment(new Date('2026-11-23T18:27:03Z'))).toBe('Nov 23, 2026, 12:27 PM')
  expect(chicago.zone(NOW)).toBe('CST')
})

test('a stored day is the same day in every zone', () => {
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Honolulu'])
    expect(wordsIn({ zone }).day('2026-11-23T00:00:00.000Z')).toBe('Nov 23, 2026')
  expect([chicago.shortDay('2026-01-02'), chicago.month('2026-11'), chicago.day('soon')]).toEqual([
    'Jan 2',
    'Nov 2026',
    'soon',
  ])
})
