import { expect, test } from 'vitest'
import { readDates } from './dates'
import { understand } from './understand'
import { closeness, stem, stemsOf } from './words'

const TODAY = '2026-11-22'

test.each([
  ['this week', { from: '2026-11-16', to: '2026-11-22' }],
  ['next week', { from: '2026-11-23', to: '2026-11-29' }],
  ['last month', { from: '2026-10-01', to: '2026-10-31' }],
  ['next month', { from: '2026-12-01', to: '2026-12-31' }],
  ['this quarter', { from: '2026-10-01', to: '2026-12-31' }],
  ['this quarter up to today', { from: '2026-10-01', to: TODAY }],
  ['the whole quarter before', { from: '2026-07-01', to: '2026-09-30' }],
  ['last year', { from: '2025-01-01', to: '2025-12-31' }],
  ['in September', { from: '2026-09-01', to: '2026-09-30' }],
  ['in December', { from: '2025-12-01', to: '2025-12-31' }],
  ['in 2024', { from: '2024-01-01', to: '2024-12-31' }],
  ['in the next 7 days', { from: TODAY, to: '2026-11-29' }],
  ['in the last 90 days', { from: '2026-08-24', to: TODAY }],
  ['since September 1', { from: '2026-09-01' }],
  ['since January 1, 2025', { from: '2025-01-01' }],
  ['before October 1', { to: '2026-09-30' }],
  ['from today on', { from: TODAY }],
])('%s', (said, days) => {
  const { ranges, rest } = readDates(`What was ${said}?`, TODAY)
  expect(ranges).toEqual([{ ...days, said: expect.any(String) }])
  expect(rest).not.toMatch(/\d/)
})

test('words meet whatever their endings are, and what this trade calls the same is near', () => {
  expect(new Set(['invoice', 'invoices', 'invoiced', 'invoicing'].map(stem)).size).toBe(1)
  expect(new Set(['complete', 'completed', 'completes'].map(stem)).size).toBe(1)
  expect(stemsOf('How much of it do they still owe us?')).toEqual(['owe'])
  expect(closeness(stem('owes'), new Set([stem('unpaid')]))).toBeGreaterThan(0)
  expect(closeness(stem('owes'), new Set([stem('lead')]))).toBe(0)
})

test('a question is read into names, amounts, periods and what comes first', () => {
  const read = (text: string) => understand(text, { kind: 'list' }, TODAY, (word) => word === 'Google')
  expect(read('Which customers owe over $20,000 and have not paid since September 1?')).toMatchObject({
    over: 20_000,
    ranges: [{ from: '2026-09-01' }],
    entity: undefined,
    top: undefined,
  })
  expect(read('What are the five biggest invoices of last month?')).toMatchObject({
    top: 5,
    end: 'greatest',
    endOf: 'measure',
  })
  expect(read('Which Google leads came in last month?').entity).toBeUndefined()
  for (const [text, entity] of [
    ['How much does Amara Mbeki still owe us?', 'Amara Mbeki'],
    ['When is invoice 26-0109-1 due?', '26-0109-1'],
    ['Until when is estimate E-26-0110-B valid?', 'E-26-0110-B'],
    ['Which project is at 946 Spring Valley Road?', '946 Spring Valley Road'],
    ['Which customer has the phone number (615) 555-0142?', '(615) 555-0142'],
    ['How much was the payment with the reference "CHK 7595"?', 'CHK 7595'],
    ['What did we quote Smith & Sons, LLC?', 'Smith & Sons, LLC'],
  ])
    expect(read(text ?? '').entity).toBe(entity)
})
