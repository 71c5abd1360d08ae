import { ServiceError } from './errors'

/** An amount as a `numeric(14,2)` column gives it, in whole cents: `12.34` -> 1234n. Amounts are never computed as floats. */
export function centsOf(amount: string): bigint {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? []
  const cents = BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'))
  return sign === '-' ? -cents : cents
}

const MOST = 900_000_000_000_000n

/**
 * Whole, non-negative cents as a JSON number: 1234n -> 12.34, the nearest double, which prints the same.
 * @throws ServiceError `bad_request` beyond 9 trillion, where a double no longer holds every cent
 */
export function amountOf(cents: bigint): number {
  if (cents > MOST)
    throw new ServiceError('bad_request', 'The sum is too large to be exact to the cent. Ask for a smaller range.')
  return Number(`${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`)
}

/** Whether a number has at most three decimals, so that {@link thousandths} is exact. */
export const hasThousandths = (value: number): boolean => Number(value.toFixed(3)) === value

/** A number of at most three decimals as a whole number of thousandths: 2.75 -> 2750n. */
export const thousandths = (value: number): bigint => BigInt(value.toFixed(3).replace('.', ''))

/** Divides non-negative numbers, rounding halves up. */
export const dividedHalfUp = (value: bigint, by: bigint): bigint => (value * 2n + by) / (by * 2n)

/** Cents times a quantity in thousandths, rounded half up to the cent. */
export const timesQuantity = (cents: bigint, quantity: bigint): bigint => dividedHalfUp(cents * quantity, 1000n)

/** A percentage of an amount, rounded half up to the cent; `percent` is in thousandths of a percent. */
export const percentOf = (cents: bigint, percent: bigint): bigint => dividedHalfUp(cents * percent, 100_000n)
