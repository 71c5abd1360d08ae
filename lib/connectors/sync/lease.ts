import type { Database } from '@/db/client'
import { type Connection, type ConnectionKey, changeConnection, renewLease } from '@/db/queries/connectors'

/** How long a run may be silent before another process takes its place. */
export const LEASE_MS = 60_000

/** A run of one connection, which nobody else runs meanwhile. */
export type Run = { key: ConnectionKey; lease: string; end: number; clock: () => Date; signal: AbortSignal }

/** This process no longer has the connection: it was too slow, or somebody connected again. */
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
export function keepAlive(db: Database, { key, lease, clock }: Run): () => void {
  const timer = setInterval(
    () => void renewLease(db.orm, key, lease, new Date(clock().getTime() + LEASE_MS)).catch(() => {}),
    LEASE_MS / 4,
  )
  timer.unref()
  return () => clearInterval(timer)
}
