import type { Database } from '@/db/client'
import { findRun, insertRun } from '@/db/queries/connector-runs'
import type { Connection } from '@/db/queries/connectors'
import { audit } from '@/lib/auth/audit'
import { newId } from '@/lib/core/ids'
import type { Connector } from '../connector'
import { note, type Run } from './lease'
import type { Tally } from './place'

/** The row of the run, which goes on where it was interrupted. */
export async function beginRun(
  db: Database,
  run: Run,
  { contractorId, connector, runId }: Connection,
  kind: 'full' | 'changes',
  tally: Tally,
): Promise<string> {
  const found = runId === null ? undefined : await findRun(db.orm, contractorId, runId)
  if (found?.state === 'running') {
    tally.read = found.read
    tally.counts = found.counts
    tally.faults = found.faults
    tally.faultCount = found.faultCount
    return found.id
  }
  const now = run.clock()
  const id = newId('connectorRun')
  await insertRun(db.orm, {
    id,
    contractorId,
    connector,
    kind,
    state: 'running',
    counts: {},
    faults: [],
    createdAt: now,
    seenAt: now,
  })
  await note(db, run, { runId: id })
  return id
}

/** Returns the progress of a run. */
export const progressOf = ({ read, counts, faults, faultCount }: Tally, now: Date) => ({
  read,
  counts,
  faults,
  faultCount,
  seenAt: now,
})

/** Notes in the audit log what a run wrote. */
export async function auditRun(
  db: Database,
  { contractorId }: Connection,
  { title }: Connector,
  { counts, faultCount }: Tally,
): Promise<void> {
  const sum = (name: 'rows' | 'added' | 'updated' | 'deleted') =>
    Object.values(counts).reduce((n, of) => n + of[name], 0)
  const detail = {
    rows: sum('rows'),
    added: sum('added'),
    updated: sum('updated'),
    deleted: sum('deleted'),
    refused: faultCount,
    isWhole: true,
  }
  await audit(
    db.orm,
    { kind: 'nobody', name: title, address: null },
    { event: 'data_loaded', subject: title, detail, contractorId },
  )
}
