import { type Database, database } from '@/db/client'
import { changeRun, findRun, insertRun } from '@/db/queries/connector-runs'
import { type Connection, findConnection } from '@/db/queries/connectors'
import { findContractor } from '@/db/queries/contractors'
import { noteLoaded } from '@/db/queries/freshness'
import { beginJournal, changeJournal, findJournal } from '@/db/queries/load-journal'
import { indexQueued } from '@/db/queries/search-queue'
import { audit } from '@/lib/auth/audit'
import { newId } from '@/lib/core/ids'
import { recoverInterruptedLoad } from '@/lib/load/recover'
import { acquireLoadTurn } from '@/lib/load/turn'
import { afterWrite } from '@/lib/sync/webhooks/after-write'
import { type Connector, ConnectorFault, type ConnectorName } from '../connector'
import { CONNECTORS } from '../registry'
import { sessionFor } from '../tokens'
import { apply } from './apply'
import { holdLease, LeaseLost, note, type Run } from './lease'
import { type Place, Tally } from './place'
import { removeUnseen, walkFrom, walkOn } from './walk'

/** The row of the run, which goes on where it was interrupted. */
async function beginRun(
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
const progressOf = ({ read, counts, faults, faultCount }: Tally, now: Date) => ({
  read,
  counts,
  faults,
  faultCount,
  seenAt: now,
})

/** Notes in the audit log what a run wrote. */
async function auditRun(
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

/** The interval at which changes are asked for where no webhook says that there are some. */
const EVERY_MS = 15 * 60_000
/** Changes are asked for from a little before the last answer: what was written then may not have been in it yet. */
const OVERLAP_MS = 5 * 60_000

const isConnectorName = (name: string): name is ConnectorName => Object.hasOwn(CONNECTORS, name)

function connectorOf(name: string): Connector {
  if (!isConnectorName(name)) throw new Error(`there is no connector ${name}`)
  return CONNECTORS[name]
}

/** The first walk is noted as a load, so that it can be taken back within a day; what comes later is the vendor's to undo. */
async function journalStep(
  db: Database,
  connection: Connection,
  runId: string,
  title: string,
): Promise<string | undefined> {
  if (connection.syncedAt !== null) return undefined
  if (connection.cursor === null) {
    await beginJournal(db, connection.contractorId, { loadId: runId, author: title })
    // It goes on by itself after a fault, so nothing of it is taken back then.
    await changeJournal(db, connection.contractorId, {
      state: 'ended',
      step: null,
      files: [title],
      endedAt: new Date(),
    })
  }
  const journal = await findJournal(db.orm, connection.contractorId)
  return journal?.loadId === runId && journal.state === 'ended' ? title : undefined
}

/** Does what follows a write: search finds it, and webhooks tell of it. */
async function settle({ db, contractor, signal }: Place): Promise<void> {
  await indexQueued(db, contractor.id, signal)
  afterWrite()
}

/** Writes while nobody else loads for the contractor. @throws ServiceError `conflict` while somebody does */
async function inTurn(place: Place, work: () => Promise<void>): Promise<void> {
  const giveBack = await acquireLoadTurn(place.contractor.id)
  try {
    await recoverInterruptedLoad(place.db, place.contractor.id)
    await work()
  } finally {
    await giveBack()
  }
}

async function runWalk(run: Run, connection: Connection, place: Place): Promise<void> {
  const { db, tally, connector } = place
  const { contractorId } = connection
  const runId = await beginRun(db, run, connection, 'full', tally)
  const step = await journalStep(db, connection, runId, connector.title)
  const walking = { ...place, step }
  let cursor: WalkCursorOrEnd = connection.cursor ?? walkFrom(run.clock())
  const { began } = cursor
  while (cursor !== undefined) {
    run.signal.throwIfAborted()
    if (performance.now() > run.end) return
    await note(db, run, { cursor })
    cursor = await walkOn(walking, cursor)
    await changeRun(db.orm, contractorId, runId, progressOf(tally, run.clock()))
    if (cursor) await note(db, run, { cursor, failures: 0, failingAt: null, error: null, throttledUntil: null })
  }
  await removeUnseen(walking)
  await settle(place)
  await noteLoaded(db, contractorId, connector.resources)
  const now = run.clock()
  await changeRun(db.orm, contractorId, runId, { ...progressOf(tally, now), state: 'done', endedAt: now })
  await auditRun(db, connection, connector, tally)
  await note(db, run, { ...upToDate(now), mode: 'changes', cursor: null, runId: null, since: new Date(began) })
}

type WalkCursorOrEnd = Awaited<ReturnType<typeof walkOn>>

const upToDate = (now: Date) => ({
  syncedAt: now,
  nextAt: new Date(now.getTime() + EVERY_MS),
  failures: 0,
  failingAt: null,
  error: null,
  throttledUntil: null,
})

/** Begins to read everything again, because changes alone no longer tell what there is. */
const walkAgain = (db: Database, run: Run, { generation }: Connection): Promise<void> =>
  note(db, run, { mode: 'full', cursor: null, generation: generation + 1, nextAt: run.clock() })

async function runChanges(run: Run, connection: Connection, place: Place): Promise<void> {
  const { db, tally, connector, session } = place
  const { contractorId } = connection
  const from = connection.since && new Date(connection.since.getTime() - OVERLAP_MS)
  if (!from || run.clock().getTime() - from.getTime() > connector.reachMs) return await walkAgain(db, run, connection)
  const found = await connector.changes(session, from)
  if (!found) return await walkAgain(db, run, connection)
  await note(db, run, {})
  tally.read = found.read
  if (found.items.length > 0) await inTurn(place, () => apply(place, found.items))
  await settle(place)
  // Books in which nothing changed are known as of now, too.
  await noteLoaded(db, contractorId, connector.resources)
  const now = run.clock()
  if (tally.isSomething) {
    const id = await beginRun(db, run, connection, 'changes', new Tally())
    await changeRun(db.orm, contractorId, id, { ...progressOf(tally, now), state: 'done', endedAt: now })
    await auditRun(db, connection, connector, tally)
  }
  // A webhook that came meanwhile asked for another run: it is kept.
  const asked = await findConnection(db.orm, run.key)
  const isAsked = asked !== undefined && asked.nextAt < connection.nextAt
  const since = asked?.since === null ? null : found.time
  await note(db, run, { ...upToDate(now), since, runId: null, ...(isAsked && { nextAt: asked.nextAt }) })
}

/**
 * Reads what there is to read of a connection, until it is up to date or the time is over.
 * @throws ConnectorFault; LeaseLost; what the signal was aborted with
 */
export async function runConnection(run: Run): Promise<void> {
  const db = await database()
  const connection = await findConnection(db.orm, run.key)
  const contractor = await findContractor(db.orm, run.key.contractorId)
  if (!connection || !contractor || connection.leaseId !== run.lease) throw new LeaseLost('the connection is gone')
  const { contractorId, company, generation } = connection
  const connector = connectorOf(connection.connector)
  if (connection.environment !== connector.environment())
    throw new ConnectorFault(
      'reconnect',
      `These are books of the ${connection.environment} environment, and this service now reads ${connector.environment()} ones. Connect again.`,
    )
  const session = sessionFor(db, connection, { connector, signal: run.signal, clock: run.clock })
  const books = { contractorId, connector: connector.name, company }
  const place: Place = { db, contractor, connector, books, session, generation, tally: new Tally(), signal: run.signal }
  const stop = holdLease(db, run)
  try {
    if (connection.mode === 'full') await inTurn(place, () => runWalk(run, connection, place))
    else await runChanges(run, connection, place)
  } finally {
    await stop()
  }
}
