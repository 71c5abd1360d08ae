import * as z from 'zod'
import { database } from '@/db/client'
import { latestRuns, listRuns, listSources as storedSources } from '@/db/queries/sources'
import { env } from '@/lib/core/env'
import { defineOperation } from '../define'
import { A_RUN, A_SOURCE, Run, ShownSource, SourceId, shownRun, shownSource } from './fields'
import { requireSource } from './managed'

/** The contractor's sources, and how each is doing. */
export const listSources = defineOperation({
  name: 'list_sources',
  title: 'Scheduled sources',
  description: 'The places that data is loaded from by themselves, with the latest run of each.',
  access: 'admin',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({
    items: z.array(ShownSource),
    folders: z.boolean().describe('Whether this server watches folders'),
  }),
  example: { items: [A_SOURCE], folders: false },
  run: async ({ actor: { contractorId }, now }) => {
    const { orm } = await database()
    const [sources, runs] = [await storedSources(orm, contractorId), await latestRuns(orm, contractorId)]
    const { sourcesFolder, vercel } = env()
    return {
      items: sources.map((source) => shownSource(source, runs.get(source.id), now)),
      folders: sourcesFolder !== undefined && vercel === undefined,
    }
  },
})

/** The runs of a source, the latest first. */
export const listSourceRuns = defineOperation({
  name: 'list_source_runs',
  title: 'Runs of a source',
  description: 'The runs of a source, the latest first; they are kept for 90 days.',
  access: 'admin',
  effect: 'read',
  input: z
    .object({ id: SourceId, before: z.string().max(50).optional(), limit: z.int().min(1).max(100).default(50) })
    .strict(),
  output: z.object({ source: ShownSource, items: z.array(Run), next: z.string().nullable() }),
  example: { source: A_SOURCE, items: [A_RUN], next: null },
  run: async ({ actor: { contractorId }, now }, { id, before, limit }) => {
    const db = await database()
    const source = await requireSource(db, contractorId, id)
    const found = await listRuns(db.orm, { contractorId, sourceId: id, before, limit: limit + 1 })
    const items = found.slice(0, limit)
    const [latest] = before === undefined ? items : await listRuns(db.orm, { contractorId, sourceId: id, limit: 1 })
    const next = found.length > limit ? (items.at(-1)?.id ?? null) : null
    return { source: shownSource(source, latest, now), items: items.map(shownRun), next }
  },
})
