import * as z from 'zod'
import { database } from '@/db/client'
import { countLinks } from '@/db/queries/connector-links'
import { type ConnectorRun, latestRuns } from '@/db/queries/connector-runs'
import { findConnection, type Connection as Stored } from '@/db/queries/connectors'
import { callbackOf, webhookOf } from '@/lib/connectors/connector'
import { CONNECTORS, isOffered } from '@/lib/connectors/registry'
import { defineOperation } from '../define'
import { AN_EXAMPLE, Connection, ConnectorInput, type Run, type STATES } from './fields'

const MOST_RUNS = 10

const iso = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

const shownRun = ({
  id,
  kind,
  state,
  read,
  counts,
  faults,
  faultCount,
  error,
  createdAt,
  endedAt,
}: ConnectorRun): z.output<typeof Run> => ({
  id,
  kind,
  state,
  read,
  counts,
  faults,
  faultCount,
  error,
  createdAt: createdAt.toISOString(),
  endedAt: iso(endedAt),
})

/** The one word for what a connection is doing or waiting for. */
export function stateOf(stored: Stored | undefined, isSet: boolean, now: Date): (typeof STATES)[number] {
  if (!isSet) return 'off'
  if (!stored) return 'none'
  if (stored.state !== 'connected') return stored.state
  if (stored.throttledUntil && stored.throttledUntil > now) return 'throttled'
  if (stored.error !== null && stored.failures > 0) return 'failing'
  return stored.mode === 'full' ? 'syncing' : 'current'
}

/** Shows a contractor's connection to other software. */
export const getConnector = defineOperation({
  name: 'get_connector',
  title: 'Get a connection to other software',
  description: 'Whether the contractor’s books are read from other software, how far, and what the last runs did.',
  access: 'admin',
  effect: 'read',
  input: z.object({ connector: ConnectorInput }).strict(),
  output: Connection,
  example: AN_EXAMPLE,
  run: async ({ actor: { contractorId }, now }, { connector: name }) => {
    const connector = CONNECTORS[name]
    const { orm } = await database()
    const stored = await findConnection(orm, { contractorId, connector: name })
    const links = stored ? await countLinks(orm, stored) : []
    const isOn = stored?.state === 'connected'
    return {
      connector: name,
      title: connector.title,
      state: stateOf(stored, isOffered(connector), now),
      missing: connector.missing(),
      callback: callbackOf(name),
      webhook: webhookOf(name),
      company: stored?.company ?? null,
      companyName: stored?.companyName ?? null,
      environment: stored?.environment ?? null,
      error: stored?.error ?? null,
      syncedAt: iso(stored?.syncedAt),
      throttledUntil: iso(stored?.throttledUntil),
      nextAt: isOn ? iso(stored.nextAt) : null,
      connectedBy: stored?.connectedBy ?? null,
      connectedAt: iso(stored?.connectedAt),
      reconnectBy: isOn ? iso(stored.refreshUntil) : null,
      records: Object.fromEntries(links.map(({ resource, n }) => [resource, n])),
      runs: (await latestRuns(orm, contractorId, name, MOST_RUNS)).map(shownRun),
    }
  },
})
