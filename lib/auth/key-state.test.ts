import { expect, test } from 'vitest'
import { isIdle, type KeyState, keyState } from './key-state'

const now = new Date('2026-11-20T12:00:00Z')
const before = new Date('2026-11-20T11:59:59Z')
const after = new Date('2026-11-20T12:00:01Z')

test.each<[KeyState, Date | null, Date | null, boolean]>([
  ['active', null, null, false],
  ['active', null, after, false],
  ['expired', null, before, false],
  ['expired', null, now, false],
  ['overlap', null, after, true],
  ['replaced', null, before, true],
  ['replaced', null, now, true],
  ['revoked', before, null, false],
  ['revoked', before, after, true],
  ['revoked', before, before, true],
])('%s: revoked %s, ends %s, rotated %s', (state, revokedAt, expiresAt, isRotated) => {
  expect(keyState({ revokedAt, expiresAt }, isRotated, now)).toBe(state)
})

// 90 days before 20 November 2026 is 22 August: 9 days of August, 30 of September, 31 of October, 20 of November.
const ninety = new Date('2026-08-22T12:00:00Z')
const less = new Date('2026-08-22T12:00:01Z')

test.each<[boolean, Date, Date | null]>([
  [true, ninety, null],
  [false, less, null],
  [true, ninety, ninety],
  [false, ninety, less],
])('idle %s: made %s, last used %s', (expected, createdAt, lastUsedAt) => {
  expect(isIdle(createdAt, lastUsedAt, now)).toBe(expected)
})
