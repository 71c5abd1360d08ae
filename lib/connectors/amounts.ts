/** A number of an answer, which has at most two decimals, in whole cents: 12.34 -> 1234n. */
export const centsIn = (amount: number): bigint => BigInt(Math.round(amount * 100))

/** Whole cents as the loader reads them: 1234n -> `12.34`. */
export function asText(cents: bigint): string {
  const [sign, whole] = cents < 0n ? ['-', -cents] : ['', cents]
  return `${sign}${whole / 100n}.${String(whole % 100n).padStart(2, '0')}`
}
