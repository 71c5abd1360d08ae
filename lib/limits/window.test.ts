import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SlidingWindow } from './window'

test('the tenth is allowed, the eleventh is not, and a slot is free when the oldest leaves the window', () => {
  const log = new SlidingWindow()
  for (let i = 0; i < 10; i++) expect(log.take(i * 1000, 10, 60_000)).toMatchObject({ allowed: true, remaining: 9 - i })
  expect(log.take(59_999, 10, 60_000)).toEqual({ allowed: false, remaining: 0, freeInMs: 1 })
  expect(log.take(60_000, 10, 60_000).allowed).toBe(true)
  expect(log.take(60_001, 10, 60_000).allowed).toBe(false)
})

test('with a limit lowered below the current count, nothing remains, and the wait lasts until enough have left', () => {
  const log = new SlidingWindow()
  for (let i = 0; i < 5; i++) log.take(i * 1000, 5, 60_000)
  expect(log.take(5_000, 3, 60_000)).toEqual({ allowed: false, remaining: 0, freeInMs: 57_000 })
  expect(log.take(61_999, 3, 60_000).allowed).toBe(false)
  expect(log.take(62_000, 3, 60_000)).toEqual({ allowed: true, remaining: 0, freeInMs: 1_000 })
})

test('a request of several places takes all of them or none, and is told when as many are free', () => {
  const log = new SlidingWindow()
  for (let i = 0; i < 4; i++) log.take(i * 1000, 10, 60_000)
  expect(log.take(4_000, 10, 60_000, 4)).toEqual({ allowed: true, remaining: 2, freeInMs: 56_000 })
  expect(log.take(5_000, 10, 60_000, 4)).toEqual({ allowed: false, remaining: 2, freeInMs: 56_000 })
  expect(log.take(60_999, 10, 60_000, 4).allowed).toBe(false)
  expect(log.take(61_000, 10, 60_000, 4)).toMatchObject({ allowed: true, remaining: 0 })
})

test('no window exceeds the limit, wherever it starts; and no request is refused unnecessarily', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(fc.nat(9_000), { maxLength: 300 }), (limit, gaps) => {
      const log = new SlidingWindow()
      const allowed: number[] = []
      let now = 0
      for (const gap of gaps) {
        now += gap
        const within = allowed.filter((at) => at > now - 60_000).length
        const verdict = log.take(now, limit, 60_000)
        expect(verdict.allowed).toBe(within < limit)
        if (verdict.allowed) allowed.push(now)
        else expect(verdict.freeInMs).toBeGreaterThan(0)
      }
    }),
  )
})
