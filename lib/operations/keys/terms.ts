import * as z from 'zod'
import { parseRange } from '@/lib/auth/address-ranges'
import { OVERLAPS, type Overlap } from '@/lib/auth/manage-keys'

/** A key's id, as `list_keys` returns it. */
export const KeyId = z.string().min(1).max(50)

/** The settings people enter when they create or change a key. */
export const KeyTermsInput = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'is required, so that people can tell the key from others')
    .max(100)
    .describe('What uses the key'),
  allowedAddresses: z
    .array(
      z
        .string()
        .trim()
        .refine((range) => parseRange(range) !== undefined, {
          error: ({ input }) =>
            `must be an address (203.0.113.7) or a range (203.0.113.0/24, 2001:db8::/32), not ${String(input).slice(0, 60)}`,
        }),
    )
    .max(50)
    .transform((ranges) => [...new Set(ranges)])
    .optional()
    .describe('Allowed IPs: addresses and CIDR ranges; none for anywhere'),
  perMinute: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('A rate limit of its own, requests a minute, beside the usual ones'),
  insteadOfAddress: z
    .boolean()
    .optional()
    .describe(
      'perMinute takes the place of the limit by address on the data API, up to what the operator allows: for a platform whose customers ' +
        'share addresses',
    ),
})

export const OverlapInput = z
  .enum(Object.keys(OVERLAPS).filter((name): name is Overlap => name in OVERLAPS))
  .describe('How long the old secret goes on working')

/** A new key. Its secret is shown only this once. */
export const MadeKeyOutput = z.object({
  id: z.string(),
  name: z.string(),
  secret: z.string().describe('Shown this once; nothing that is stored leads back to it'),
  preset: z.string().nullable(),
  leadSource: z.string().nullable().describe('The lead source that a secret URL is for; null for other keys'),
  scopes: z.array(z.string()),
  expiresAt: z.date().nullable(),
})

export const MADE_KEY: z.output<typeof MadeKeyOutput> = {
  id: 'key_01k9zq2v6n8m4t5c3b7x1w0jd2',
  name: 'Accounting sync',
  secret: 'plb_live_…',
  preset: null,
  leadSource: null,
  scopes: ['read:customers', 'read:invoices'],
  expiresAt: new Date('2027-11-20T08:30:00.000Z'),
}
