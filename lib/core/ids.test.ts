import { expect, test } from 'vitest'
import { firstIdAt, isId, newId, newRequestId } from './ids'

test('ids that one process makes sort in their order, also within a millisecond; one of a past moment sorts there', () => {
  const ids = Array.from({ length: 5_000 }, () => newId('delivery'))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every((id) => isId('delivery', id))).toBe(true)
  const past = new Date('2020-01-01T00:00:00Z')
  const old = newId('delivery', past)
  expect(old >= firstIdAt('delivery', past) && old < firstIdAt('delivery', new Date('2020-01-01T00:00:00.001Z'))).toBe(
    true,
  )
})

test('request ids are UUIDs of version 7 in the order of the requests', () => {
  const ids = Array.from({ length: 1_000 }, newRequestId)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0]).toMatch(/^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
