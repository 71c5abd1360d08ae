import { randomUUID } from 'node:crypto'
import { database } from '@/db/client'
import { changeRun } from '@/db/queries/connector-runs'
import {
  type Connection,
  type ConnectionKey,
  changeConnection,
  claimDueConnection,
  findConnection,
} from '@/db/queries/connectors'
import { inHand, MOST_STOPS } from '@/db/queries/work-in-hand'
import { ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { runJob } from '@/lib/jobs/run'
import { CONNECTOR_NAMES, ConnectorFault } from './connector'
import { connectorDriver } from './driver'
import { CONNECTORS, isOffered } from './registry'
import { LEASE_MS, LeaseLost, type Run } from './sync/lease'

/** A connection runs so long before others have their turn. */
const TURN_MS = 20_000
const MINUTE_MS = 60_000
const LONGEST_WAIT_MS = 60 * MINUTE_MS
/** The number of failures in a row after which the administrators are told. */
const TOLD_AFTER = 3
const BUSY_MS = 15_000

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds)

/** Returns a longer wait with each failure: a minute, two, four, at most an hour. */
const backoff = (first: number, failures: number) => Math.min(first * 2 ** Math.min(failures, 10), LONGEST_WAIT_MS)

/** Returns what becomes of a connection whose run came to a bad end. */
function outcomeOf(fault: unknown, before: Connection, now: Date, signal: AbortSignal): Partial<Connection> {
  // This process stops, and another one goes on.
  if (signal.aborted) return { nextAt: now }
  if (!(fault instanceof ConnectorFault)) {
    // Somebody loads files for this contractor.
    if (fault instanceof ServiceError && (fault.code === 'conflict' || fault.code === 'busy'))
      return { nextAt: after(now, BUSY_MS) }
    const failures = before.failures + 1
    const error =
      'Something went wrong on our side. It is tried again by itself; if it persists, ask whoever runs this service.'
    return { failures, error, nextAt: after(now, backoff(MINUTE_MS, before.failures)), ...told(before, failures, now) }
  }
  const { kind, message: error, waitMs = MINUTE_MS } = fault
  if (kind === 'reconnect') return { state: 'reconnect', stateAt: now, error, throttledUntil: null }
  const failures = before.failures + 1
  if (kind === 'throttled') {
    const until = after(now, backoff(waitMs, before.failures))
    return { failures, error, throttledUntil: until, nextAt: until }
  }
  const first = kind === 'unreachable' ? MINUTE_MS : 15 * MINUTE_MS
  const isSure = kind === 'shape' || kind === 'refused'
  return {
    failures,
    error,
    nextAt: after(now, backoff(first, before.failures)),
    ...told(before, isSure ? TOLD_AFTER : failures, now),
  }
}

const told = ({ failingAt }: Connection, failures: number, now: Date): Partial<Connection> =>
  failures >= TOLD_AFTER && failingAt === null ? { failingAt: now } : {}

/** A run that ended badly shows why; one that goes on by itself stays under way. */
async function noteFault(
  { contractorId, runId }: Connection,
  { state, error }: Partial<Connection>,
  now: Date,
): Promise<void> {
  if (runId === null || !error) return
  const isOver = state === 'reconnect'
  await changeRun((await database()).orm, contractorId, runId, {
    error,
    ...(isOver && { state: 'failed', endedAt: now }),
  })
}

async function end(run: Run, fault: unknown): Promise<void> {
  const { orm } = await database()
  const now = run.clock()
  const before = await findConnection(orm, run.key)
  if (before?.leaseId !== run.lease) return
  const free = { leaseId: null, leaseUntil: null }
  // A walk that is not at its end goes on with the next turn.
  const goesOn = before.mode === 'full' || before.since === null ? { nextAt: now } : {}
  const outcome: Partial<Connection> = fault === undefined ? goesOn : outcomeOf(fault, before, now, run.signal)
  await noteFault(before, outcome, now)
  await changeConnection(
    orm,
    run.key,
    { ...free, ...outcome, ...(outcome.state === 'reconnect' && { runId: null }) },
    run.lease,
  )
}

/**
 * Returns what becomes of a connection whose process ended in the middle of a run: a failure, and the third in a row is for a person to
 * look at.
 */
const leftOpen = (times: number) =>
  times < MOST_STOPS
    ? new ConnectorFault(
        'unreachable',
        'The service was stopped in the middle of reading. It is tried again by itself.',
      )
    : new ConnectorFault(
        'reconnect',
        `The service stopped ${times} times in a row in the middle of reading, so it has stopped reading. What was read stays. Connect again to go on; ` +
          'if that stops it too, ask whoever runs this service.',
      )

async function runOne(run: Run): Promise<'ran' | 'failed'> {
  const { contractorId, connector } = run.key
  const fails = async (fault: unknown) => {
    await end(run, fault)
    return 'failed' as const
  }
  return await inHand<'ran' | 'failed'>(
    (await database()).orm,
    { kind: 'connector', subject: `${contractorId} ${connector}` },
    {
      begun: () => runBegun(run),
      left: (times) => fails(leftOpen(times)),
      later: () => fails(new ServiceError('busy', 'Something else is read first.')),
    },
  )
}

async function runBegun(run: Run): Promise<'ran' | 'failed'> {
  try {
    // Loaded with the first connection that is due: a run brings the loader.
    const { runConnection } = await import('./sync/run')
    await runConnection(run)
    await end(run, undefined)
    return 'ran'
  } catch (fault) {
    if (fault instanceof LeaseLost) return 'failed'
    if (!(fault instanceof ConnectorFault || fault instanceof ServiceError || run.signal.aborted))
      logFault({ operation: 'connectors' }, fault)
    await end(run, fault)
    return 'failed'
  }
}

export type ConnectorReport = { ran: number; failed: number }
type Running = { budgetMs?: number; clock?: () => Date; signal?: AbortSignal; turnMs?: number }

/**
 * Runs connections that are due, one after another, until none is or the time is up. Any number of processes may run it at once. A walk
 * over everything has turns, and goes on in the next one.
 */
export async function runConnectors({
  budgetMs = 30_000,
  clock = () => new Date(),
  signal = stopping(),
  turnMs = TURN_MS,
}: Running = {}): Promise<ConnectorReport> {
  const report: ConnectorReport = { ran: 0, failed: 0 }
  const last = performance.now() + budgetMs
  if (!CONNECTOR_NAMES.some((name) => isOffered(CONNECTORS[name]))) return report
  while (performance.now() < last && !signal.aborted) {
    const lease = randomUUID()
    const now = clock()
    const key: ConnectionKey | undefined = await claimDueConnection((await database()).orm, {
      now,
      lease,
      until: after(now, LEASE_MS),
    })
    if (!key) break
    const turn = Math.min(last, performance.now() + turnMs)
    report[await runOne({ key, lease, end: turn, clock, signal })]++
  }
  return report
}

/** Runs connections that are due, or waits for the run that is under way. A failure is logged. */
export function runDue(): Promise<void> {
  const driver = connectorDriver()
  driver.running ??= runJob('connectors', () => runConnectors())
    .then(() => {})
    .catch((fault) => {
      if (!stopping().aborted) logFault({ operation: 'connectors' }, fault)
    })
    .finally(() => {
      driver.running = undefined
    })
  return driver.running
}

/** Lets a connection begin soon after the request that made it due; call once, in long-lived processes. */
export function runConnectorsSoon(): void {
  connectorDriver().kick = () => void setTimeout(() => void runDue(), 0)
}
