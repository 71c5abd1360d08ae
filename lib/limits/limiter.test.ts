import { afterEach, expect, test, vi } from 'vitest'
import { Limiter } from './limiter'

afterEach(() => vi.restoreAllMocks())

test('without a shared store this process counts and uses no network', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  const limiter = new Limiter(undefined)
  expect(await limiter.take(2, 'list_invoices', 'x')).toMatchObject({
    allowed: true,
    limit: 2,
    remaining: 1,
    retryAfterMs: 0,
  })
  expect(await limiter.take(2, 'list_invoices', 'x')).toMatchObject({ allowed: true, remaining: 0 })
  expect(await limiter.take(2, 'list_invoices', 'x')).toMatchObject({ allowed: false, remaining: 0 })
  expect(await limiter.take(2, 'list_invoices', 'y')).toMatchObject({ allowed: true, remaining: 1 })
  expect(await limiter.take(2, 'list_payments', 'x')).toMatchObject({ allowed: true, remaining: 1 })
  expect(limiter.store).toEqual({ status: 'ok', store: 'process' })
  expect(fetched).not.toHaveBeenCalled()
})

test('at most a hundred thousand subjects are remembered; the least recently seen starts over', () => {
  const limiter = new Limiter(undefined)
  const remaining = (subject: string) => limiter.takeHere(10, 'list_invoices', subject).remaining
  expect(remaining('first')).toBe(9)
  for (let i = 0; i < 99_999; i++) remaining(`address ${i}`)
  expect(remaining('first')).toBe(8)
  expect(remaining('one more')).toBe(9)
  expect(remaining('address 0')).toBe(9)
})
