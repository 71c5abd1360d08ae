import { z } from 'zod'
import { parseDay, parseInstant } from '@/lib/core/time'

/** A moment as every answer carries it: ISO 8601, UTC, three digits of a second. */
export const Instant = z.iso.datetime({ precision: 3 })

/** An amount with at most two decimals, as a JSON number. */
export const Amount = z.number()

export const Currency = z.string().length(3).describe('ISO 4217 code')

const MOMENT_FORM = 'must be a day (2026-11-20) or an ISO 8601 moment with an offset (2026-11-20T00:00:00Z)'

/** Lower bound of a date filter, inclusive: a day begins at midnight UTC. Gives the moment in ISO form. */
export const FromMoment = z
  .string()
  .transform((text, ctx) => {
    const moment = parseDay(text) ?? parseInstant(text)
    if (moment) return moment.toISOString()
    ctx.addIssue({ code: 'custom', message: MOMENT_FORM })
    return z.NEVER
  })
  .describe('Only those dated at or after this day (midnight UTC) or moment')

/** Upper bound of a date filter: a day counts whole, a moment is included. Gives the first moment that is out. */
export const ToMoment = z
  .string()
  .transform((text, ctx) => {
    const day = parseDay(text)
    const moment = day ?? parseInstant(text)
    if (moment) return new Date(moment.getTime() + (day ? 86_400_000 : 1)).toISOString()
    ctx.addIssue({ code: 'custom', message: MOMENT_FORM })
    return z.NEVER
  })
  .describe('Only those dated on or before this day (the whole day, UTC) or moment')

/** The id of a record used as a filter: any text without control characters; one that does not exist finds nothing. */
export const FilterId = z.string().regex(/^[\w-]{1,80}$/, 'must be an id as the API gives it')
