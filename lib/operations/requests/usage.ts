import * as z from 'zod'
import { database } from '@/db/client'
import { keyAddressesSince, keyUsage, usageByEndpoint, usageByTime } from '@/db/queries/usage'
import { ServiceError } from '@/lib/core/errors'
import { defineOperation } from '../define'
import { COUNTS, Moment } from './fields'

const HOUR_MS = 3_600_000
/** The most points a chart can show. */
const MOST_PERIODS = 800
const MOST_ENDPOINTS = 100

const hourOf = (milliseconds: number) => new Date(Math.floor(milliseconds / HOUR_MS) * HOUR_MS).toISOString()

/** Returns the start of the last `hours` whole hours, including the current one, as an ISO timestamp. */
const hoursBack = (now: Date, hours: number) => hourOf(now.getTime() - (hours - 1) * HOUR_MS)

function requirePeriods(from: string, to: string, by: 'hour' | 'day'): void {
  const span = Date.parse(to) - Date.parse(from)
  const most = MOST_PERIODS * (by === 'hour' ? HOUR_MS : 24 * HOUR_MS)
  if (span > 0 && span <= most) return
  const message = span > 0 ? `is more than ${MOST_PERIODS} ${by}s before to` : 'must be before to'
  throw new ServiceError('bad_request', `from: ${message}`, { fields: [{ field: 'from', message }] })
}

const KEY = 'key_01k9zq2v6n8m4t5c3b7x1w0jd2'
const COUNTED = { requests: 120, errors: 3, limited: 1 }

/** Reports requests, errors and limit hits over time and per endpoint. */
export const getUsage = defineOperation({
  name: 'get_usage',
  title: 'Usage',
  description:
    'Requests, errors and limit hits of the contractor or of one key, by hour or day (UTC) without gaps, and by endpoint. Every request is counted, also those of a flood that the log keeps no row of.',
  access: 'developer',
  effect: 'read',
  input: z
    .object({
      from: Moment.optional().describe('Its hour is counted whole; a day before to when left out'),
      to: Moment.optional().describe('Hours that begin before it are counted; now when left out'),
      by: z.enum(['hour', 'day']).default('hour'),
      keyId: z.string().max(50).optional(),
    })
    .strict(),
  output: z.object({
    from: z.iso.datetime({ precision: 3 }),
    to: z.iso.datetime({ precision: 3 }),
    by: z.enum(['hour', 'day']),
    total: z.object(COUNTS),
    periods: z.array(z.object({ at: z.iso.datetime({ precision: 3 }).describe('Where it begins'), ...COUNTS })),
    endpoints: z
      .array(z.object({ endpoint: z.string(), face: z.enum(['api', 'mcp']), ...COUNTS, meanMs: z.number() }))
      .describe('The busiest first'),
  }),
  example: {
    from: '2026-11-20T08:00:00.000Z',
    to: '2026-11-20T08:30:00.000Z',
    by: 'hour',
    total: COUNTED,
    periods: [{ at: '2026-11-20T08:00:00.000Z', ...COUNTED }],
    endpoints: [{ endpoint: 'list_invoices', face: 'api', ...COUNTED, meanMs: 3.4 }],
  },
  run: async ({ actor, now }, { to = now.toISOString(), from = hoursBack(new Date(to), 24), by, keyId }) => {
    requirePeriods(from, to, by)
    const query = { contractorId: actor.contractorId, from: hourOf(Date.parse(from)), to, by, keyId }
    const { orm } = await database()
    const [periods, endpoints] = await Promise.all([
      usageByTime(orm, query),
      usageByEndpoint(orm, query, MOST_ENDPOINTS),
    ])
    const total = { requests: 0, errors: 0, limited: 0 }
    for (const { requests, errors, limited } of periods) {
      total.requests += requests
      total.errors += errors
      total.limited += limited
    }
    return { from: query.from, to, by, total, periods, endpoints }
  },
})

const Used = z.iso.datetime({ precision: 3 }).nullable()

/** Reports when and from where each key was last used, and its recent requests. */
export const listKeyUsage = defineOperation({
  name: 'list_key_usage',
  title: 'Use of keys',
  description:
    'Every key of the contractor, newest first: when and from where it was last let in, and its requests in the last hours.',
  access: 'developer',
  effect: 'read',
  input: z
    .object({ hours: z.int().min(1).max(720).default(24).describe('Whole hours, the present one among them') })
    .strict(),
  output: z.object({
    items: z.array(
      z.object({
        keyId: z.string(),
        lastUsedAt: Used,
        lastAddress: z.string().nullable(),
        lastRefusedAt: Used.describe('When it was last presented after its end'),
        ...COUNTS,
      }),
    ),
  }),
  example: {
    items: [
      {
        keyId: KEY,
        lastUsedAt: '2026-11-20T08:30:00.000Z',
        lastAddress: '203.0.113.9',
        lastRefusedAt: null,
        ...COUNTED,
      },
    ],
  },
  run: async ({ actor, now }, { hours }) => ({
    items: await keyUsage((await database()).orm, actor.contractorId, hoursBack(now, hours)),
  }),
})

/** Returns the addresses from which a key, and so each secret of a rotated one, is still used. */
export const listKeyAddresses = defineOperation({
  name: 'list_key_addresses',
  title: 'Addresses of a key',
  description:
    'From where a key was used in the last hours, the latest first. After a rotation the old secret is a key of its own: who is listed for it has not changed over yet.',
  access: 'developer',
  effect: 'read',
  input: z.object({ keyId: z.string().max(50), hours: z.int().min(1).max(720).default(24) }).strict(),
  output: z.object({
    items: z.array(
      z.object({
        address: z.string(),
        requests: z.int().describe('Since its first one from there'),
        lastUsedAt: Used,
        lastRefusedAt: Used,
      }),
    ),
  }),
  example: {
    items: [{ address: '203.0.113.9', requests: 120, lastUsedAt: '2026-11-20T08:30:00.000Z', lastRefusedAt: null }],
  },
  run: async ({ actor, now }, { keyId, hours }) => {
    const since = new Date(now.getTime() - hours * HOUR_MS).toISOString()
    const query = { contractorId: actor.contractorId, keyId, since, limit: 100 }
    return { items: await keyAddressesSince((await database()).orm, query) }
  },
})
