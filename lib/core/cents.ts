import { ServiceError } from './errors'

/** An amount as a `numeric(14,2)` column gives it, in whole cents: `12.34` -> 1234n. Amounts are never computed as floats. */
export function centsOf(amount: string): bigint {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? []
  const cents = BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'))
  return sign === '-' ? -cents : cents
}

const MOST = 900_000_000_000_000n

/**
 * Whole cents, none negative, as the JSON number of an answer: 1234n -> 12.34, the double nearest to it, which prints the same.
 * @throws ServiceError `bad_request` beyond 9 trillion, where a double no longer holds every cent
 */
export function amountOf(cents: bigint): number {
  if (cents > MOST)
    throw new ServiceError('bad_request', 'The sum is too large to be stated to the cent. Ask for less.')
  return Number(`${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`)
}

/** Whether a number has at most three decimals, so that {@link thousandths} loses nothing of it. */
export const hasThousandths = (value: number): boolean => Number(value.toFixed(3)) === value

/** A number of at most three decimals as a whole number of thousandths: 2.75 -> 2750n. */
export const thousandths = (value: number): bigint => BigInt(value.toFixed(3).replace('.', ''))

/** Divides, halves rounded up; for what is not negative. */
export const dividedHalfUp = (value: bigint, by: bigint): bigint => (value * 2n + by) / (by * 2n)

/** Cents times a quantity in thousandths, rounded half up to the cent. */
export const timesQuantity = (cents: bigint, quantity: bigint): bigint => dividedHalfUp(cents * quantity, 1000n)

/** So many thousandths of a percent of cents, rounded half up to the cent. */
export const percentOf = (cents: bigint, percent: bigint): bigint => dividedHalfUp(cents * percent, 100_000n)
