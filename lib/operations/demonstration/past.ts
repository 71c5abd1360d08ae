import * as z from 'zod'
import { database } from '@/db/client'
import { writeRequests } from '@/db/queries/request-log'
import { addChecks } from '@/db/queries/service-checks'
import { FilterId } from '@/lib/resources/fields'
import { defineOperation } from '../define'
import { requireDemonstration } from './demonstration'
import { pastChecks, pastRequests } from './past-requests'

/** The lines of one statement. */
const AT_ONCE = 1_000

/** Gives a demonstration the requests of its last 30 days, so that its log and its usage show what a month looks like. */
export const writeDemoPast = defineOperation({
  name: 'write_demo_past',
  title: 'Write the past of the demonstration',
  description:
    'Adds the requests that the keys of a demonstration would have made in its last 30 days. Their user agents say that they are of the demonstration.',
  access: 'operator',
  effect: 'write',
  input: z.object({ integration: FilterId, leadSource: FilterId, agent: FilterId }).strict(),
  output: z.object({ requests: z.int() }),
  example: { requests: 5_120 },
  run: async (ctx, keys) => {
    const contractorId = await requireDemonstration(ctx)
    const db = await database()
    const past = pastRequests({ contractorId, keys, now: ctx.now })
    for (let from = 0; from < past.lines.length; from += AT_ONCE)
      await writeRequests(db, { kinds: past.kinds, lines: past.lines.slice(from, from + AT_ONCE) })
    return { requests: past.lines.length }
  },
})

/** Gives the service of a demonstration the checks of its last 30 days. */
export const writeDemoChecks = defineOperation({
  name: 'write_demo_checks',
  title: 'Write the checks of the demonstration',
  description: 'Adds the checks that the service of a demonstration would have made of itself in its last 30 days.',
  access: 'operator',
  effect: 'write',
  input: z.object({}).strict(),
  output: z.object({ hours: z.int() }),
  example: { hours: 720 },
  run: async (ctx) => {
    await requireDemonstration(ctx)
    const checks = pastChecks(ctx.now)
    await addChecks((await database()).orm, checks)
    return { hours: checks.length / 4 }
  },
})
