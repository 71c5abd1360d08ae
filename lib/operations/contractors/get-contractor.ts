import * as z from 'zod'
import { type Database, database, withinContractor } from '@/db/client'
import { countFound, estimateFound } from '@/db/queries/count'
import { dataAsOf } from '@/db/queries/freshness'
import { dataChangedAt } from '@/db/queries/overview'
import { RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import { Currency, Instant } from '@/lib/resources/fields'
import { resources } from '@/lib/resources/registry'
import { defineOperation } from '../define'
import { Count, Day } from '../reports/fields'
import { contractorFacts } from './contractor-facts'

const Name = z.enum(RESOURCE_NAMES)

/** Counts the records of a kind; what is too many to count is estimated. */
async function countOf(db: Database, contractorId: string, name: z.output<typeof Name>): Promise<number> {
  const query = { contractorId, filters: [], sort: undefined }
  const { count } = await countFound(db, resources[name].source, undefined, query)
  return count ?? (await estimateFound(db, resources[name].source, name, query))
}

/** Tells whose business the data is, by whose days and in which currency, and what is loaded. */
export const getContractor = defineOperation({
  name: 'get_contractor',
  title: 'The contractor',
  description:
    'The contractor whose data this is: name, trade, city, state, currency, time zone, what day it is there, and how many records of each kind are stored and ' +
    'when they last came in. Call it to know what “today” and “this month” mean, and whether the books are up to date.',
  access: 'any_key',
  effect: 'read',
  input: z
    .object({
      kinds: z
        .array(Name)
        .min(1)
        .max(RESOURCE_NAMES.length)
        .optional()
        .describe('The kinds of records told of; all when left out'),
    })
    .strict(),
  output: z.object({
    name: z.string(),
    trade: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    currency: Currency.describe('Of contract sums, and of what names no other'),
    timeZone: z.string().describe('Days in reports are days of this zone'),
    country: z.string().nullable().describe('Two letters; null where nothing says it'),
    locale: z.string().describe('How its people write days and numbers'),
    today: Day.describe('The day it is there'),
    loaded: z
      .array(
        z.object({
          kind: Name,
          records: Count,
          asOf: Instant.nullable().describe('When records of this kind last came in or changed; null when never'),
        }),
      )
      .describe('Of the kinds that the key may read'),
  }),
  example: {
    name: 'Harpeth Roofing',
    trade: 'roofing',
    city: 'Franklin',
    state: 'TN',
    currency: 'USD',
    timeZone: 'America/Chicago',
    country: 'US',
    locale: 'en-US',
    today: '2026-11-20',
    loaded: [{ kind: 'invoices', records: 412, asOf: '2026-11-20T08:30:00.000Z' }],
  },
  tool: { category: 'customers', example: { kinds: ['invoices', 'payments'] } },
  run: async ({ actor: { contractorId, scopes }, now }, { kinds = RESOURCE_NAMES }) => {
    const db = await database()
    const facts = await contractorFacts(db, contractorId, now)
    const told = RESOURCE_NAMES.filter((name) => kinds.includes(name) && scopes.has(scopeOf(name)))
    const loaded = await withinContractor(db.orm, contractorId, async (orm) => {
      const noted = await dataAsOf(orm, contractorId, told)
      const kindsTold: { kind: z.output<typeof Name>; asOf: string | null }[] = []
      // What no load noted and the feed has not numbered yet is as new as its newest record.
      for (const kind of told)
        kindsTold.push({
          kind,
          asOf: noted.get(kind) ?? (await dataChangedAt(orm, contractorId, [resources[kind].source])),
        })
      return kindsTold
    })
    const counts = await Promise.all(told.map((name) => countOf(db, contractorId, name)))
    return { ...facts, loaded: loaded.map((each, i) => ({ ...each, records: counts[i] ?? 0 })) }
  },
})
