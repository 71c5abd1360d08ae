import * as z from 'zod'
import { database } from '@/db/client'
import { findRequestLinks } from '@/db/queries/request-log'
import { findRequest, type LogPlace, listNewRequests, listRequests as listPage } from '@/db/queries/request-pages'
import { ServiceError } from '@/lib/core/errors'
import { OUTCOMES } from '@/lib/leads/deliveries'
import { defineOperation } from '../define'
import { Cursor, cursorOf, EXAMPLE, FILTERS, Logged, RequestId } from './fields'

const CURSOR_EXAMPLE = '2026-11-20T08:30:00.000Z_019aa1b0-7f1e-7b59-9d3e-0a8d5b1f7c2a'

async function pageOf(contractorId: string, query: Omit<Parameters<typeof listPage>[1], 'contractorId'>) {
  const { items, previous, next } = await listPage((await database()).orm, { contractorId, ...query })
  return { items, previous: previous ? cursorOf(previous) : null, next: next ? cursorOf(next) : null }
}

/** The request log, newest first. */
export const listRequests = defineOperation({
  name: 'list_requests',
  title: 'Requests',
  description: 'Requests with the contractor’s keys, over the data API, the lead webhook and MCP, newest first.',
  access: 'developer',
  effect: 'read',
  input: z
    .object({
      ...FILTERS,
      before: Cursor.optional().describe('next of a page: what follows it'),
      after: Cursor.optional().describe('previous of a page: what leads to it'),
      limit: z.int().min(1).max(100).default(50),
    })
    .strict(),
  output: z.object({
    items: z.array(Logged),
    previous: z.string().nullable().describe('Send it as after for newer ones; null on the first page'),
    next: z
      .string()
      .nullable()
      .describe('Send it as before for older ones; also there when a page that was looked through holds few or none'),
  }),
  example: { items: [EXAMPLE], previous: null, next: CURSOR_EXAMPLE },
  run: ({ actor }, query) => pageOf(actor.contractorId, query),
})

/** The request log for a file: larger pages of the same list. */
export const exportRequests = defineOperation({
  name: 'export_requests',
  title: 'Export of requests',
  description: 'The same list as list_requests in pages of up to a thousand, for a file.',
  access: 'developer',
  effect: 'read',
  input: z.object({ ...FILTERS, before: Cursor.optional(), limit: z.int().min(1).max(1_000).default(1_000) }).strict(),
  output: listRequests.output.omit({ previous: true }),
  example: { items: [EXAMPLE], next: CURSOR_EXAMPLE },
  run: ({ actor }, query) => pageOf(actor.contractorId, query),
})

/** Lists requests without a key of ours: guesses, misspelled paths, keys that were never made here. */
export const listKeylessRequests = defineOperation({
  name: 'list_keyless_requests',
  title: 'Requests without a key',
  description: 'Requests that no contractor’s key came with, newest first.',
  access: 'operator',
  effect: 'read',
  input: z.object({ limit: z.int().min(1).max(100).default(50) }).strict(),
  output: z.object({ items: z.array(Logged) }),
  example: { items: [{ ...EXAMPLE, status: 401, errorCode: 'unauthorized', keyId: null }] },
  run: async (_, { limit }) => ({
    items: (await listPage((await database()).orm, { contractorId: null, limit })).items,
  }),
})

const Delivered = z.object({ id: z.string(), outcome: z.enum(OUTCOMES), name: z.string().nullable() })

/** Returns a request of the log. */
export const getRequest = defineOperation({
  name: 'get_request',
  title: 'One request',
  description:
    'One request of the log by the id that its answer had as X-Request-Id, with its key, who made that, and the delivery it brought.',
  access: 'developer',
  effect: 'read',
  input: z.object({ id: RequestId }).strict(),
  output: Logged.extend({
    key: z.object({ name: z.string(), last4: z.string(), madeBy: z.string().nullable() }).nullable(),
    delivery: Delivered.nullable().describe('The delivery to the lead webhook that the request was'),
  }),
  example: {
    ...EXAMPLE,
    key: { name: 'Accounting sync', last4: 'x7Qd', madeBy: 'Ana Lopez <ana@example.com>' },
    delivery: null,
  },
  run: async ({ actor: { contractorId } }, { id }) => {
    const { orm } = await database()
    const found = await findRequest(orm, contractorId, id.slice(4))
    if (found) {
      const { key, delivery } = await findRequestLinks(orm, { contractorId, requestId: id, keyId: found.keyId })
      return { ...found, key, delivery: delivery && Delivered.parse(delivery) }
    }
    throw new ServiceError(
      'not_found',
      'There is no request with this id in the log. It may be past the retention period, or have ended this very second.',
    )
  },
})

/** Requests are written in batches and by several processes, so what ended this long ago may still come. */
const SETTLED_MS = 3_000

const placeAt = (milliseconds: number): LogPlace => ({
  at: new Date(milliseconds).toISOString(),
  id: '00000000-0000-0000-0000-000000000000',
})

/** Returns what has come since, for a live view. */
export const tailRequests = defineOperation({
  name: 'tail_requests',
  title: 'New requests',
  description:
    'Requests since a cursor, oldest first. The cursor stays three seconds behind, as requests are written down in batches: some come twice, to be known by their id, and none is missed.',
  access: 'developer',
  effect: 'read',
  input: z
    .object({
      ...FILTERS,
      after: Cursor.optional().describe('cursor of the answer before; left out, from now on'),
      limit: z.int().min(1).max(500).default(200),
    })
    .strict(),
  output: z.object({ items: z.array(Logged), cursor: z.string() }),
  example: { items: [EXAMPLE], cursor: CURSOR_EXAMPLE },
  run: async ({ actor, now }, { after, ...query }) => {
    const settled = placeAt(now.getTime() - SETTLED_MS)
    const place = after ?? settled
    const { orm } = await database()
    const items = await listNewRequests(orm, { contractorId: actor.contractorId, ...query, after: place })
    const last = items.at(-1)
    // A full answer is not the end: go on behind it. Otherwise wait behind what can still come.
    const reached = items.length === query.limit && last ? { at: last.at, id: last.id.slice(4) } : settled
    return { items, cursor: cursorOf(reached.at > place.at ? reached : place) }
  },
})
