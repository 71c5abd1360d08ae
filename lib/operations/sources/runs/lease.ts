/** The lease of a source, which its holder renews at least as often; after a process died, its source is free again after this time. */
export const LEASE_MS = 2 * 60_000
