import { expect, test } from 'vitest'
import { WAITERS, Waiters } from './waiters'

/** Longer than a test may take. */
const HOUR_MS = 3_600_000

test('all who wait are released at once when the process is asked to stop, and nobody waits after that', async () => {
  const stop = new AbortController()
  const waiters = new Waiters(stop.signal)
  const waiting = Array.from({ length: 3 }, (_, i) => waiters.changed(`con_${i}`, 0, HOUR_MS))
  stop.abort()
  await Promise.all(waiting)
  await waiters.changed('con_1', 0, HOUR_MS)
})

test('a place that is given back can be taken again', () => {
  const waiters = new Waiters(new AbortController().signal)
  const taken = Array.from({ length: WAITERS.ofKey }, () => waiters.takePlace('con_1', 'key'))
  expect(taken.every(Boolean)).toBe(true)
  expect(waiters.takePlace('con_1', 'key')).toBeUndefined()
  expect(waiters.takePlace('con_1', 'other')).toBeDefined()
  taken[0]?.()
  expect(waiters.takePlace('con_1', 'key')).toBeDefined()
})

test('the keys of one contractor hold its share of the places and no other contractor’s', () => {
  const waiters = new Waiters(new AbortController().signal)
  const keys = Array.from({ length: WAITERS.ofProcess }, (_, i) => `key ${i}`)
  expect(keys.filter((key) => waiters.takePlace('con_1', key))).toHaveLength(WAITERS.ofContractor)
  expect(waiters.takePlace('con_1', 'key 0')).toBeUndefined()
  expect(waiters.takePlace('con_2', 'another key')).toBeDefined()
})
