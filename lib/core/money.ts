import { ServiceError } from './errors'

const AMOUNT = /^(\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d{1,4}))?$/

/**
 * An amount as office software writes it, as an exact decimal string for a `numeric` column: `$1,250.00` -> `1250.00`,
 * `(75.5)`, `<75.5>` and `-$75.50` -> `-75.50`, `USD 12` -> `12.00`. Undefined when it is not an amount with at most two decimals, or as
 * many as are asked for, up to four.
 */
export function parseMoney(text: string, decimals = 2): string | undefined {
  let rest = text.replace(/[\s\u00a0]/g, '').replace(/^(?:US\$|USD)|USD$/i, '')
  const inBrackets = /^(?:\(.*\)|<.*>)$/.test(rest)
  if (inBrackets) rest = rest.slice(1, -1)
  const [, before = '', within = '', digits = '', behind = ''] =
    /^([-\u2212]?)\$?([-\u2212]?)([\d.,]*)([-\u2212]?)$/.exec(rest) ?? []
  const signs = before.length + within.length + behind.length
  if (signs > 1 || (inBrackets && signs > 0)) return undefined
  const parts = AMOUNT.exec(digits)
  const part = parts?.[2] ?? ''
  if (!parts || digits === '' || digits === '.' || part.length > decimals) return undefined
  const whole = (parts[1] ?? '0').replaceAll(',', '').replace(/^0+(?=\d)/, '')
  if (whole.length > 12) return undefined
  const amount = `${whole}.${part.slice(0, 2).padEnd(2, '0')}${part.slice(2).replace(/0{1,2}$/, '')}`
  return (signs === 1 || inBrackets) && amount !== '0.00' ? `-${amount}` : amount
}

/** An amount as a `numeric(14,2)` column gives it, in whole cents: `12.34` -> 1234n. Amounts are never computed as floats. */
export function centsOf(amount: string): bigint {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? []
  const cents = BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'))
  return sign === '-' ? -cents : cents
}

/** Ten thousandths of a unit in a cent. A unit cost has up to four decimals, a sum is in whole cents. */
const IN_CENT = 100n

/** A unit cost as its column gives it, in whole ten thousandths: `0.0475` -> 475n, `12.5` -> 125000n. */
export function unitCostOf(amount: string): bigint {
  const [, whole = '0', part = ''] = /^(\d+)(?:\.(\d{1,4}))?$/.exec(amount) ?? []
  return BigInt(whole) * 10_000n + BigInt(part.padEnd(4, '0'))
}

/** Returns a unit cost in ten thousandths as a JSON number: 475n -> 0.0475. */
export const unitAmountOf = (cost: bigint): number =>
  Number(`${cost / 10_000n}.${String(cost % 10_000n).padStart(4, '0')}`)

const MOST = 900_000_000_000_000n

/**
 * Returns whole, non-negative cents as a JSON number: 1234n -> 12.34, the nearest double, which prints the same.
 * @throws ServiceError `bad_request` beyond 9 trillion, where a double no longer holds every cent
 */
export function amountOf(cents: bigint): number {
  if (cents > MOST)
    throw new ServiceError('bad_request', 'The sum is too large to be exact to the cent. Ask for a smaller range.')
  return Number(`${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`)
}

/** Reports whether a number has at most three decimals, so that {@link thousandths} is exact. */
export const hasThousandths = (value: number): boolean => Number(value.toFixed(3)) === value

/** A number of at most three decimals as a whole number of thousandths: 2.75 -> 2750n. */
export const thousandths = (value: number): bigint => BigInt(value.toFixed(3).replace('.', ''))

/** Divides non-negative numbers, rounding halves up. */
export const dividedHalfUp = (value: bigint, by: bigint): bigint => (value * 2n + by) / (by * 2n)

/** A unit cost in ten thousandths times a quantity in thousandths, in cents, rounded half up. */
export const timesQuantity = (cost: bigint, quantity: bigint): bigint => dividedHalfUp(cost * quantity, 1000n * IN_CENT)

/** A decimal number as digits and how many of them stand behind the point. */
function digitsOf(text: string): { digits: bigint; places: number } | undefined {
  const [, whole, part = ''] = /^(-?\d{1,15})(?:\.(\d{1,10}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : { digits: BigInt(whole + part), places: part.length }
}

/** The product of two decimal numbers, such as a quantity and a price, in whole cents, half a cent away from zero; undefined where one is none. */
export function productInCents(one: string, other: string): bigint | undefined {
  const [a, b] = [digitsOf(one), digitsOf(other)]
  if (!a || !b) return undefined
  const product = a.digits * b.digits
  const size = dividedHalfUp((product < 0n ? -product : product) * 100n, 10n ** BigInt(a.places + b.places))
  return product < 0n ? -size : size
}

/** A percentage of an amount, rounded half up to the cent; `percent` is in thousandths of a percent. */
export const percentOf = (cents: bigint, percent: bigint): bigint => dividedHalfUp(cents * percent, 100_000n)
