import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { changeConnection, findConnection } from '@/db/queries/connectors'
import { findContractor } from '@/db/queries/contractors'
import { indexQueued } from '@/db/queries/search-queue'
import { personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { CONNECTORS } from '@/lib/connectors/registry'
import { Tally } from '@/lib/connectors/sync/place'
import { removeBooks } from '@/lib/connectors/sync/remove-books'
import { ServiceError } from '@/lib/core/errors'
import { recoverInterruptedLoad } from '@/lib/load/recover'
import { acquireLoadTurn } from '@/lib/load/turn'
import { defineOperation } from '../define'
import { ConnectorInput } from './fields'

/** The time for which one call deletes; what is left takes another. */
const TURN_MS = 20_000

/**
 * Returns where reading begins if somebody connects these books again: everything is read, because changes do not bring back what was
 * removed.
 */
const fromTheStart = (generation: number) => ({
  mode: 'full' as const,
  cursor: null,
  since: null,
  syncedAt: null,
  generation: generation + 1,
})

/** Deletes what a connection that was ended has brought, so that the books of another company can take its place. */
export const removeConnectorRecords = defineOperation({
  name: 'remove_connector_records',
  title: 'Remove the records of a company',
  description:
    'Deletes the records that came from a company’s books, after its connection was ended. A customer or project that something else belongs ' +
    'to stays. It works for about 20 seconds; while `isDone` is false, call it again.',
  access: 'admin',
  effect: 'write',
  input: z.object({ connector: ConnectorInput, company: z.string().min(1).max(100) }).strict(),
  output: z.object({
    removed: z.record(z.string(), z.int()).describe('Deleted now, by resource'),
    kept: z.int().describe('Customers and projects that stay, because something else belongs to them'),
    isDone: z.boolean().describe('Whether nothing is left'),
  }),
  example: { removed: { invoices: 800, customers: 118 }, kept: 2, isDone: true },
  run: async ({ actor }, { connector: name, company }) => {
    const db = await database()
    const { contractorId } = actor
    const key = { contractorId, connector: name }
    const { title } = CONNECTORS[name]
    const [connection, contractor] = [await findConnection(db.orm, key), await findContractor(db.orm, contractorId)]
    if (!connection || !contractor)
      throw new ServiceError('not_found', `${title} was never connected. Nothing was removed.`)
    if (connection.state === 'connected' && connection.company === company)
      throw new ServiceError(
        'conflict',
        `${title} is connected to this company and would bring its records back. Disconnect first. Nothing was removed.`,
      )
    const giveBack = await acquireLoadTurn(contractorId)
    try {
      await recoverInterruptedLoad(db, contractorId)
      const books = { contractorId, connector: name, company }
      if (connection.company === company)
        await withinContractor(db.orm, contractorId, (tx) =>
          changeConnection(tx, key, fromTheStart(connection.generation)),
        )
      const tally = new Tally()
      const { isDone, kept } = await removeBooks({ db, contractor, books, tally }, performance.now() + TURN_MS)
      const removed = Object.fromEntries(
        Object.entries(tally.counts).flatMap(([resource, { deleted }]) => (deleted > 0 ? [[resource, deleted]] : [])),
      )
      await audit(db.orm, personOf(actor), {
        event: 'connector_records_removed',
        subject: title,
        detail: { company, ...removed, kept },
      })
      await indexQueued(db, contractorId)
      return { removed, kept, isDone }
    } finally {
      await giveBack()
    }
  },
})
