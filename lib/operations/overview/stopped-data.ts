import * as z from 'zod'
import type { Orm } from '@/db/client'
import { type Connection, findConnection } from '@/db/queries/connectors'
import { latestRuns, listSources, type Source, type SourceRun } from '@/db/queries/sources'
import { CONNECTOR_NAMES, type ConnectorName } from '@/lib/connectors/connector'
import { CONNECTORS, isOffered } from '@/lib/connectors/registry'
import { stateOf } from '../connectors/get-connector'
import { healthOf } from '../sources/fields'

/** Data that should come in by itself and does not. */
export const StoppedData = z.object({
  name: z.string().describe('The software, or the source as its people call it'),
  what: z
    .enum(['reconnect', 'failing', 'late', 'unset', 'paused', 'pausedByPerson'])
    .describe(
      '`reconnect`: the connection is over; `late`: nothing new for longer than there should be; `unset`: its settings are gone from the ' +
        'server; `paused`: the service paused it',
    ),
  since: z.iso.datetime({ precision: 3 }).describe('Of `failing`, `late` and `unset`: up to when the data is current'),
  reason: z.string().nullable().describe('What the last attempt said, for administrators'),
  path: z.string().nullable().describe('Where an administrator fixes it; null for others'),
})
type Stopped = z.output<typeof StoppedData>

const DAY_MS = 86_400_000

function ofConnection(name: ConnectorName, stored: Connection, now: Date): Stopped | undefined {
  const connector = CONNECTORS[name]
  const said = { name: connector.title, reason: stored.error, path: `/data/${name}` }
  const current = stored.syncedAt ?? stored.connectedAt
  if (stored.state === 'reconnect') return { ...said, what: 'reconnect', since: stored.stateAt.toISOString() }
  if (stored.state !== 'connected') return undefined
  const since = current.toISOString()
  const state = stateOf(stored, isOffered(connector), now)
  if (state === 'off') return { ...said, what: 'unset', since }
  if (state === 'failing') return { ...said, what: 'failing', since }
  return now.getTime() - current.getTime() > DAY_MS ? { ...said, what: 'late', since } : undefined
}

function ofSource(source: Source, lastRun: SourceRun | undefined, now: Date): Stopped | undefined {
  const { id, name, lastSuccessAt, createdAt, pausedAt, pausedReason } = source
  const said = { name, reason: lastRun?.error ?? null, path: `/data/sources/${id}` }
  const current = (lastSuccessAt ?? createdAt).toISOString()
  const health = healthOf(source, now)
  if (health === 'failing') return { ...said, what: 'failing', since: current }
  if (health === 'stale') return { ...said, what: 'late', since: current }
  if (health !== 'paused') return undefined
  const since = pausedAt?.toISOString() ?? current
  return pausedReason === 'person'
    ? { ...said, reason: null, what: 'pausedByPerson', since }
    : { ...said, what: 'paused', since }
}

/** Lists connections and sources that bring nothing new, and since when. Those who cannot fix them get no reason and no link. */
export async function stoppedData(
  orm: Orm,
  { contractorId, isAdmin, now }: { contractorId: string; isAdmin: boolean; now: Date },
): Promise<Stopped[]> {
  const found: Stopped[] = []
  for (const name of CONNECTOR_NAMES) {
    const stored = await findConnection(orm, { contractorId, connector: name })
    const stopped = stored && ofConnection(name, stored, now)
    if (stopped) found.push(stopped)
  }
  const sources = await listSources(orm, contractorId)
  const runs = sources.some(({ failures, state }) => failures > 0 || state === 'paused')
    ? await latestRuns(orm, contractorId)
    : new Map<string, SourceRun>()
  found.push(...sources.flatMap((source) => ofSource(source, runs.get(source.id), now) ?? []))
  return isAdmin ? found : found.map((each) => ({ ...each, reason: null, path: null }))
}
