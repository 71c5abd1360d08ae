import * as z from 'zod'
import { database } from '@/db/client'
import { findLoad, listLoads as read } from '@/db/queries/loads'
import { ServiceError } from '@/lib/core/errors'
import { FilterId } from '@/lib/resources/fields'
import { defineOperation } from '../define'
import { A_LISTED_LOAD, A_LOAD, ListedLoad, Load, SCOPE, shownLoad } from './shown'

const LIMIT = { error: 'must be a whole number from 1 to 100' }

const counts = ListedLoad.shape.counts
const report = Load.shape.report

/** Lists the loads of files that came over the API. */
export const listLoads = defineOperation({
  name: 'list_loads',
  title: 'List loads',
  description: 'Files that were put here in the last 90 days, newest first, with what became of each.',
  access: SCOPE,
  effect: 'read',
  limit: 'dataApi',
  input: z.object({
    before: FilterId.max(40).optional().describe('`next` of the page before'),
    limit: z.int(LIMIT).min(1, LIMIT).max(100, LIMIT).default(20),
  }),
  output: z.object({ items: z.array(ListedLoad), next: z.string().nullable().describe('Send it as `before`') }),
  example: { items: [A_LISTED_LOAD], next: null },
  http: { method: 'GET', path: '/loads', at: 'data' },
  run: async ({ actor, now }, { before, limit }) => {
    const found = await read((await database()).orm, { contractorId: actor.contractorId, before, limit: limit + 1 })
    const items = found.slice(0, limit)
    const next = found.length > limit ? (items.at(-1)?.id ?? null) : null
    return {
      items: items.map((load) => ({ ...shownLoad(load, now), counts: counts.parse(load.counts ?? null) })),
      next,
    }
  },
})

/** Reads one load with its report. */
export const getLoad = defineOperation({
  name: 'get_load',
  title: 'Get one load',
  description:
    'One load: how many rows are read while it runs, its report with the refused rows and their lines once it has ended.',
  access: SCOPE,
  effect: 'read',
  limit: 'dataApi',
  input: z.object({
    load: FilterId.max(40).describe('The load’s id, as the answer to a PUT and list_loads give it'),
  }),
  output: Load,
  example: A_LOAD,
  http: { method: 'GET', path: '/loads/{load}', at: 'data' },
  run: async ({ actor, now }, { load: id }) => {
    const found = await findLoad((await database()).orm, actor.contractorId, id)
    if (!found)
      throw new ServiceError('not_found', 'There is no load with this id. list_loads shows those of the last 90 days.')
    return { ...shownLoad(found, now), report: report.parse(found.report ?? null) }
  },
})
