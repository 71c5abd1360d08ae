import { expect, test } from 'vitest'
import { issuePageToken, readPageToken, type TokenBinding } from './list-page'

const SECRET = 'a-secret-for-tests-of-32-characters'
const PREVIOUS = 'the-one-before-it-of-32-characters!'
const now = new Date('2026-11-20T08:00:00Z')
const place = { at: '2026-11-19T10:00:00.123Z', id: 'inv_prj_1_1700000000000' }
const binding: TokenBinding = {
  resource: 'invoices',
  contractorId: 'con_a',
  keyId: 'key_a',
  filters: { status: 'paid' },
}
const token = issuePageToken(SECRET, place, binding, now)

test('a token gives back its place', () => {
  expect(readPageToken([SECRET, undefined], token, binding, now)).toEqual(place)
})

test('a token issued under the previous secret is read while secrets rotate', () => {
  const old = issuePageToken(PREVIOUS, place, binding, now)
  expect(readPageToken([SECRET, PREVIOUS], old, binding, now)).toEqual(place)
  expect(() => readPageToken([SECRET, undefined], old, binding, now)).toThrow('does not belong')
})

test('every single-bit change and every truncation is refused', () => {
  for (let at = 0; at < token.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = token.slice(0, at) + String.fromCharCode(token.charCodeAt(at) ^ (1 << bit)) + token.slice(at + 1)
      expect(() => readPageToken([SECRET, undefined], changed, binding, now)).toThrow('does not belong')
    }
    expect(() => readPageToken([SECRET, undefined], token.slice(0, at), binding, now)).toThrow('does not belong')
  }
})

test.each<[string, Partial<TokenBinding>]>([
  ['another key', { keyId: 'key_b' }],
  ['another contractor', { contractorId: 'con_b' }],
  ['another endpoint', { resource: 'payments' }],
  ['another filter', { filters: { status: 'overdue' } }],
  ['a filter left out', { filters: {} }],
  ['a filter more', { filters: { status: 'paid', from: '2026-01-01T00:00:00.000Z' } }],
])('used with %s it is refused', (_, change) => {
  expect(() => readPageToken([SECRET, undefined], token, { ...binding, ...change }, now)).toThrow('does not belong')
})

test('after 24 hours it has expired', () => {
  const almost = new Date(now.getTime() + 86_399_000)
  expect(readPageToken([SECRET, undefined], token, binding, almost)).toEqual(place)
  expect(() => readPageToken([SECRET, undefined], token, binding, new Date(now.getTime() + 86_400_000))).toThrow(
    'expired',
  )
})
