import * as z from 'zod'
import { type Database, database, withinContractor } from '@/db/client'
import { changeRun } from '@/db/queries/connector-runs'
import { type Connection, changeConnection, findConnection } from '@/db/queries/connectors'
import { personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import type { ConnectorName } from '@/lib/connectors/connector'
import { kickConnectors } from '@/lib/connectors/driver'
import { CONNECTORS } from '@/lib/connectors/registry'
import { openToken } from '@/lib/connectors/tokens'
import { ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { defineOperation } from '../define'
import { ConnectorInput } from './fields'

/** @throws ServiceError `not_found` when this contractor has no connection */
async function requireConnection(db: Database, contractorId: string, name: ConnectorName): Promise<Connection> {
  const found = await findConnection(db.orm, { contractorId, connector: name })
  if (found && found.state !== 'disconnected') return found
  throw new ServiceError('not_found', `${CONNECTORS[name].title} is not connected. Nothing was changed.`)
}

/** Ends the grant at the vendor; a vendor that does not answer keeps nobody connected. @returns whether it is ended there */
async function revoke(name: ConnectorName, { refreshToken }: Connection): Promise<boolean> {
  try {
    await CONNECTORS[name].revoke(openToken(refreshToken))
    return true
  } catch (fault) {
    logFault({ operation: 'disconnect_connector' }, fault)
    return false
  }
}

/** Ends a connection. What it brought stays. */
export const disconnectConnector = defineOperation({
  name: 'disconnect_connector',
  title: 'Disconnect other software',
  description: 'Ends the connection here and at the vendor, and deletes its tokens. Records that it brought stay.',
  access: 'admin',
  effect: 'write',
  input: z.object({ connector: ConnectorInput }).strict(),
  output: z.object({ isRevoked: z.boolean().describe('Whether the vendor confirmed it') }),
  example: { isRevoked: true },
  run: async ({ actor, now }, { connector: name }) => {
    const db = await database()
    const { contractorId } = actor
    const before = await requireConnection(db, contractorId, name)
    await withinContractor(db.orm, contractorId, async (tx) => {
      await changeConnection(
        tx,
        { contractorId, connector: name },
        {
          state: 'disconnected',
          stateAt: now,
          accessToken: null,
          accessUntil: null,
          refreshToken: null,
          refreshUntil: null,
          tokenVersion: before.tokenVersion + 1,
          error: null,
          failures: 0,
          failingAt: null,
          throttledUntil: null,
          runId: null,
          leaseId: null,
          leaseUntil: null,
        },
      )
      if (before.runId) await changeRun(tx, contractorId, before.runId, { state: 'ended', endedAt: now })
      const { title } = CONNECTORS[name]
      await audit(tx, personOf(actor), {
        event: 'connector_disconnected',
        subject: title,
        detail: { company: before.company },
      })
    })
    return { isRevoked: await revoke(name, before) }
  },
})

/** Asks for a run now. */
export const syncConnector = defineOperation({
  name: 'sync_connector',
  title: 'Sync now',
  description:
    'Asks for changes now, or with `everything` reads all again, which also finds what was deleted long ago.',
  access: 'admin',
  effect: 'write',
  input: z
    .object({
      connector: ConnectorInput,
      everything: z.union([z.boolean(), z.stringbool()]).optional().describe('Read everything again'),
    })
    .strict(),
  output: z.object({ nextAt: z.iso.datetime() }),
  example: { nextAt: '2026-11-20T12:00:00.000Z' },
  run: async ({ actor, now }, { connector: name, everything = false }) => {
    const db = await database()
    const { contractorId } = actor
    const { state, throttledUntil, mode } = await requireConnection(db, contractorId, name)
    const { title } = CONNECTORS[name]
    if (state !== 'connected')
      throw new ServiceError('conflict', `${title} must be connected again first. Nothing was changed.`)
    const nextAt = throttledUntil && throttledUntil > now ? throttledUntil : now
    // Without a place to go on from, everything is read.
    const again = everything && mode === 'changes' ? { since: null } : {}
    await withinContractor(db.orm, contractorId, (tx) =>
      changeConnection(tx, { contractorId, connector: name }, { nextAt, ...again }),
    )
    kickConnectors()
    return { nextAt: nextAt.toISOString() }
  },
})
