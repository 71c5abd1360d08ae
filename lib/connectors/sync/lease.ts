import type { Database } from '@/db/client'
import { type Connection, type ConnectionKey, changeConnection, renewLease } from '@/db/queries/connectors'
import { every } from '@/lib/jobs/every'

/** The time that a run may be silent before another process takes its place. */
export const LEASE_MS = 60_000

/** A run of one connection, which nobody else runs meanwhile. */
export type Run = { key: ConnectionKey; lease: string; end: number; clock: () => Date; signal: AbortSignal }

/** The error that this process no longer has the connection: it was too slow, or somebody connected again. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** Stores how far a run has come, and that it is alive. @throws LeaseLost */
export async function note(db: Database, { key, lease, clock }: Run, changes: Partial<Connection>): Promise<void> {
  const leaseUntil = new Date(clock().getTime() + LEASE_MS)
  if (!(await changeConnection(db.orm, key, { ...changes, leaseUntil }, lease)))
    throw new LeaseLost('the lease was lost')
}

/** Keeps the lease while a page is read and written. */
export function holdLease(db: Database, { key, lease, clock }: Run): () => Promise<void> {
  const renew = () => renewLease(db.orm, key, lease, new Date(clock().getTime() + LEASE_MS))
  return every('connectors', LEASE_MS / 4, renew, { whileStopping: true })
}
