import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/** A record's id and its `updatedAt`, as the record has it. */
export type Version = readonly [id: string, updatedAt: string]

/** The number of hashes before other work has its turn. */
const AT_ONCE = 5_000

/**
 * Counts records, and adds up their checksum as the API defines it: the sum, modulo 2^64, of the first eight bytes of SHA-256 of
 * `<id> <updatedAt>`, as 16 hexadecimal digits. The order does not matter.
 */
export async function checksumOf(
  versions: Iterable<Version> | AsyncIterable<Version>,
): Promise<{ count: number; checksum: string }> {
  let [count, sum] = [0, 0n]
  for await (const [id, updatedAt] of versions) {
    sum += createHash('sha256').update(`${id} ${updatedAt}`).digest().readBigUInt64BE()
    if (++count % AT_ONCE === 0) await setImmediate()
  }
  return { count, checksum: BigInt.asUintN(64, sum).toString(16).padStart(16, '0') }
}
