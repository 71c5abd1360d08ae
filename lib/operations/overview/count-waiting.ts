import * as z from 'zod'
import { database } from '@/db/client'
import { countEachWaiting } from '@/db/queries/needs-you'
import { defineOperation } from '../define'
import { MOST_COUNTED, waitingKinds } from './needs-you'

const count = (what: string) =>
  z.int().describe(`${what}, at most ${MOST_COUNTED}; 0 for those who can do nothing about it`)

/** Counts what waits for a person, in one statement: the frame of every page of the portal shows it. */
export const countWaiting = defineOperation({
  name: 'count_waiting',
  title: 'What waits',
  description: 'How much waits for the caller, as get_business_overview tells one by one.',
  access: 'any_key',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({
    refused_leads: count('Leads that could not be read'),
    failing_webhooks: count('Webhooks that take nothing'),
    held_loads: count('Loads that wait for answers'),
    ending_keys: count('Keys that expire soon'),
  }),
  example: { refused_leads: 1, failing_webhooks: 0, held_loads: 0, ending_keys: 2 },
  run: async (ctx) => {
    const none = { refused_leads: 0, failing_webhooks: 0, held_loads: 0, ending_keys: 0 }
    const kinds = waitingKinds(ctx)
    if (kinds.length === 0) return none
    const found = await countEachWaiting((await database()).orm, kinds, MOST_COUNTED)
    return { ...none, ...Object.fromEntries(found.map(({ kind, count }) => [kind, count])) }
  },
})
