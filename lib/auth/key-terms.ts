import { ServiceError } from '@/lib/core/errors'

/**
 * The places that a key may be used from (addresses, CIDR ranges; empty for anywhere), and how often per minute (undefined for only the
 * usual limits).
 */
export type KeyTerms = {
  allowedAddresses?: readonly string[] | undefined
  perMinute?: number | undefined
  /** True when that limit replaces the one by address. */
  insteadOfAddress?: boolean | undefined
}

/** @throws ServiceError `bad_request` when the limit by address would be replaced by none */
export function requireLimit({ perMinute, insteadOfAddress }: KeyTerms): void {
  if (!insteadOfAddress || perMinute !== undefined) return
  const message = 'is needed to replace the limit per address'
  throw new ServiceError('bad_request', `perMinute: ${message}`, { fields: [{ field: 'perMinute', message }] })
}

/** A key's name and terms as they are stored. */
export const storedTerms = ({
  name,
  allowedAddresses = [],
  perMinute,
  insteadOfAddress,
}: KeyTerms & { name: string }) => ({
  name,
  allowedAddresses: allowedAddresses.length > 0 ? [...allowedAddresses] : null,
  perMinute: perMinute ?? null,
  insteadOfAddress: perMinute !== undefined && insteadOfAddress === true,
})
