import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { changeSource, findSource, listRuns, type Source } from '@/db/queries/sources'
import { personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { holdProcessForLoad } from '@/lib/load/hold'
import { defineOperation } from '../define'
import { A_SOURCE, noSource, ShownSource, SourceId } from './fields'
import { shownById } from './managed'
import { LEASE_MS } from './runs/result'
import { runOne } from './runs/run-one'
import { optionsOf } from './runs/worker'

/** The time a caller waits for the end of a run. */
const WAIT_MS = 20_000

const running = () =>
  new ServiceError('conflict', 'This source is being run. Wait for its end, at most two minutes after a crash.')

/** Runs a source now. */
export const runSource = defineOperation({
  name: 'run_source',
  title: 'Run a source now',
  description: 'Runs a source at once, also a paused one, and waits up to 20 seconds for its end.',
  access: 'admin',
  effect: 'write',
  input: z.object({ id: SourceId, wait: z.boolean().optional().describe('Waits to the end, however long') }).strict(),
  output: ShownSource,
  example: A_SOURCE,
  run: async ({ actor, now }, { id, wait = false }) => {
    const by = personOf(actor)
    const { contractorId } = by
    const db = await database()
    const source = await withinContractor(db.orm, contractorId, async (orm): Promise<Source> => {
      const found = await findSource(orm, contractorId, id, true)
      if (!found) throw noSource()
      if (found.leaseUntil && found.leaseUntil > now) throw running()
      const leaseUntil = new Date(now.getTime() + LEASE_MS)
      await changeSource(orm, contractorId, id, { leaseUntil })
      await audit(orm, by, { event: 'source_run', subject: id, detail: { name: found.name } })
      return { ...found, leaseUntil }
    })
    const work = runOne(db, source, optionsOf({ isAsked: true }))
    holdProcessForLoad(
      work.then(
        () => {},
        (fault) => logFault({ operation: 'sources' }, fault),
      ),
    )
    await (wait ? work : Promise.race([work, sleep(WAIT_MS, undefined, { ref: false })]))
    const [last] = await listRuns(db.orm, { contractorId, sourceId: id, limit: 1 })
    if (last === undefined || last.startedAt < now)
      throw new ServiceError(
        'conflict',
        'Another load is running for this contractor. This source runs when it is done.',
      )
    return await shownById(db.orm, contractorId, id, new Date())
  },
})
