import * as z from 'zod'
import { database } from '@/db/client'
import { barsOfSums, sampleRequests } from '@/db/queries/request-stats'
import { ServiceError } from '@/lib/core/errors'
import { defineOperation } from '../define'
import { FILTERS, Moment } from './fields'

const HOUR_MS = 3_600_000
/** The length from which the hourly sums are fine enough to draw. */
const BY_SUMS_FROM_MS = 6 * HOUR_MS
const BY_DAY_FROM_MS = 4 * 24 * HOUR_MS
const LONGEST_MS = 400 * 24 * HOUR_MS

const Iso = z.iso.datetime({ precision: 3 })
type Asked = {
  from?: string | undefined
  to?: string | undefined
  status?: number | undefined
  method?: string | undefined
  address?: string | undefined
  path?: string | undefined
}

/** The period that is asked for: a day up to now when nothing is said. */
function periodOf({ from, to }: Asked, now: Date): { from: string; to: string; length: number } {
  const end = to ?? now.toISOString()
  const begin = from ?? new Date(Date.parse(end) - 24 * HOUR_MS).toISOString()
  const length = Date.parse(end) - Date.parse(begin)
  if (length > 0 && length <= LONGEST_MS) return { from: begin, to: end, length }
  const message = length > 0 ? 'is more than 400 days before to' : 'must be before to'
  throw new ServiceError('bad_request', `from: ${message}`, { fields: [{ field: 'from', message }] })
}

/** Reports whether the hourly sums know what is asked for: they are kept by key, operation and class of status. */
const knownToSums = ({ status, method, address, path }: Asked) =>
  status === undefined && method === undefined && address === undefined && path === undefined

const HISTOGRAM = {
  step: z.int().describe('Seconds of a bar'),
  bars: z
    .array(z.object({ at: Iso.describe('Where it begins'), requests: z.int(), errors: z.int() }))
    .describe('Those with requests, the first first'),
}

/** Returns how many requests there were, how they spread over a period, and how long they took. */
export const getRequestStats = defineOperation({
  name: 'get_request_stats',
  title: 'Requests over time',
  description:
    'Requests and errors of a period as bars, and the median and 95th percentile of their duration. Percentiles are of the newest 5,000 rows; long periods are counted from hourly sums, which hold every request. The cost does not grow with the log.',
  access: 'developer',
  effect: 'read',
  input: z.object({ ...FILTERS, from: Moment.optional().describe('A day before to when left out') }).strict(),
  output: z.object({
    from: Iso,
    to: Iso,
    requests: z.int(),
    errors: z.int(),
    countedSince: Iso.nullable().describe('Where only the newest rows were counted, the moment of the oldest of them'),
    sample: z.int().describe('How many requests the percentiles are of'),
    p50Ms: z.number().nullable(),
    p95Ms: z.number().nullable(),
    ...HISTOGRAM,
  }),
  example: {
    from: '2026-11-19T08:30:00.000Z',
    to: '2026-11-20T08:30:00.000Z',
    requests: 120,
    errors: 3,
    countedSince: null,
    sample: 120,
    p50Ms: 3.1,
    p95Ms: 9.8,
    step: 3_600,
    bars: [{ at: '2026-11-20T08:00:00.000Z', requests: 120, errors: 3 }],
  },
  run: async ({ actor: { contractorId }, now }, filters) => {
    const { from, to, length } = periodOf(filters, now)
    const { orm } = await database()
    const { isCut, since, requests, errors, p50Ms, p95Ms, ...sampled } = await sampleRequests(orm, {
      ...filters,
      contractorId,
      from,
      to,
    })
    const times = { p50Ms: rounded(p50Ms), p95Ms: rounded(p95Ms), sample: requests }
    if (length < BY_SUMS_FROM_MS || !knownToSums(filters))
      return { from, to, requests, errors, countedSince: isCut ? since : null, ...times, ...sampled }
    const by = length >= BY_DAY_FROM_MS ? 'day' : 'hour'
    const bars = await barsOfSums(orm, { ...filters, contractorId, from, to, by })
    const total = (name: 'requests' | 'errors') => bars.reduce((sum, bar) => sum + bar[name], 0)
    const counted = { requests: total('requests'), errors: total('errors'), countedSince: null }
    return { from, to, ...counted, ...times, step: by === 'day' ? 86_400 : 3_600, bars }
  },
})

const rounded = (milliseconds: number | null) => (milliseconds === null ? null : Math.round(milliseconds * 10) / 10)
