import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OpenInvoice } from '@/db/queries/allocate'
import { combination } from './allocate'

const room = (cents: bigint, at: number) => {
  const invoice: OpenInvoice = {
    id: `i${at}`,
    customerId: 'c',
    projectId: 'p',
    reference: null,
    currency: 'USD',
    date: '2025-01-01',
    capacity: '0',
    isStated: true,
    settledAt: null,
  }
  return { invoice, cents }
}
const rooms = (...cents: bigint[]) => cents.map(room)
const idsOf = (found: ReturnType<typeof combination>) => found?.map(({ invoice }) => invoice.id)

test('invoices that add up to an amount are found, the oldest first', () => {
  expect(idsOf(combination(rooms(300n, 200n), 500n))).toEqual(['i0', 'i1'])
  expect(idsOf(combination(rooms(100n, 300n, 200n, 400n), 500n))).toEqual(['i0', 'i3'])
  expect(combination(rooms(300n, 200n), 400n)).toBeUndefined()
  expect(combination(rooms(-100n, 0n, 600n), 500n)).toBeUndefined()
})

test('what is found adds up exactly, uses no invoice twice, and keeps their order', () => {
  const amounts = fc.array(fc.bigInt({ min: -50n, max: 900n }), { maxLength: 24 })
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 1n, max: 4_000n }), (cents, wanted) => {
      const all = cents.map(room)
      const found = combination(all, wanted)
      if (!found) return
      expect(found.reduce((sum, each) => sum + each.cents, 0n)).toBe(wanted)
      const places = found.map((each) => all.indexOf(each))
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b))
      expect(found.every((each) => each.cents > 0n)).toBe(true)
    }),
  )
})

test('a sum of few invoices is always found', () => {
  const amounts = fc.array(fc.tuple(fc.bigInt({ min: 1n, max: 900n }), fc.boolean()), { minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(amounts, (chosen) => {
      const wanted = chosen.reduce((sum, [cents, isTaken]) => (isTaken ? sum + cents : sum), 0n)
      fc.pre(wanted > 0n)
      expect(combination(rooms(...chosen.map(([cents]) => cents)), wanted)).toBeDefined()
    }),
  )
})

test('sums that cannot be found end after a bounded number of tries, among the oldest invoices', () => {
  let looks = 0
  const counted = Array.from({ length: 1_000 }, (_, at) =>
    Object.defineProperty(room(0n, at), 'cents', {
      get: () => {
        looks++
        return 2n ** BigInt(at % 16)
      },
    }),
  )
  expect(combination(counted, 10n ** 9n)).toBeUndefined()
  expect(looks).toBeGreaterThan(0)
  expect(looks).toBeLessThan(4 * 5_000)
  // The seventeenth is not looked at.
  expect(combination(rooms(...Array.from({ length: 16 }, () => 2n), 5n), 5n)).toBeUndefined()
})
