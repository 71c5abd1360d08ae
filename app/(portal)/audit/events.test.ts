import { expect, test } from 'vitest'
import { detailsOf } from './events'

test('details are words: no ids, no repeated name, no counts of nothing, yes and no, times to the minute', () => {
  expect(detailsOf({ rows: 3, added: 3, refused: 0, isWhole: true }, 'customers.csv')).toBe('rows: 3, added: 3')
  expect(detailsOf({ rows: 3, refused: 1, isWhole: false }, 'customers.csv')).toBe('rows: 3, refused: 1, complete: no')
  const rotated = {
    name: 'Accounting',
    successor: 'key_01k9zq2v6n8m4t5c3b7x1w0jd2',
    oldWorksUntil: '2026-11-20T08:30:00.000Z',
  }
  expect(detailsOf(rotated, 'Accounting')).toBe('old secret works until: 2026-11-20 08:30 UTC')
  expect(detailsOf(rotated, undefined)).toContain('name: Accounting')
  expect(detailsOf({ expires: null, scopes: '' }, undefined)).toBe('')
})
