import * as z from 'zod'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'

/** The proof of completeness for one resource. */
export const Total = z.object({
  count: z.int().nonnegative().describe('How many records there are'),
  checksum: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe(
      'The sum, modulo 2^64, of one number for each record: the first 8 bytes, big-endian, of SHA-256 of `<id> <updatedAt>`. ' +
        '16 hexadecimal digits; the order of the records does not matter',
    ),
})

/** The totals of several resources; null while the records of before the feed are still being counted. */
export const Totals = z.object(
  Object.fromEntries(RESOURCE_NAMES.map((name) => [name, Total.nullable().optional()] as const)),
)

/** A cursor as an input. */
export const CursorInput = z.string().min(1).max(2000)

export const A_TOTAL: z.output<typeof Total> = { count: 1284, checksum: '7d0f4e1a93c2b586' }
export const A_CURSOR = 'eyJwIjo0MTcsInQiOiIxNzk1MzUwMTAwMTIzNDU2IiwiciI6WyJpbnZvaWNlcyJdfQ.c2lnbmF0dXJl'
