/** Who has a source says so at least as often; after a process died, its source is free again after this time. */
export const LEASE_MS = 2 * 60_000
