import * as z from 'zod'
import { LATEST, parseDay, parseInstant } from '@/lib/core/time'

/** A moment as every answer carries it: ISO 8601, UTC, three digits of a second. */
export const Instant = z.iso.datetime({ precision: 3 })

/** An amount with at most two decimals, as a JSON number. */
export const Amount = z.number()

export const Currency = z.string().length(3).describe('ISO 4217 code')

/** The form of a moment in a parameter, as a sentence. */
export const MOMENT_FORM = 'must be a day (2026-11-20) or an ISO 8601 moment with an offset (2026-11-20T00:00:00Z)'

/**
 * A moment of a parameter. The plus of its offset may arrive as a space: a query that is read as a form has `+` for one, and a client that
 * does not write `%2B` means an offset.
 */
export const parameterMoment = (text: string): Date | undefined =>
  parseInstant(text.replace(/ (?=\d{2}(?::?\d{2})?$)/, '+'))

/** The lower bound of a date filter, inclusive: a day begins at midnight UTC. Gives the moment in ISO form. */
export const FromMoment = z
  .string()
  .transform((text, ctx) => {
    const moment = parseDay(text) ?? parameterMoment(text)
    if (moment) return moment.toISOString()
    ctx.addIssue({ code: 'custom', message: MOMENT_FORM })
    return z.NEVER
  })
  .describe('First day (UTC) or moment')

/** The upper bound of a date filter: a day counts whole, a moment is included. Gives the first moment that is out. */
export const ToMoment = z
  .string()
  .transform((text, ctx) => {
    const day = parseDay(text)
    const moment = day ?? parameterMoment(text)
    if (moment) return new Date(Math.min(moment.getTime() + (day ? 86_400_000 : 1), LATEST.getTime())).toISOString()
    ctx.addIssue({ code: 'custom', message: MOMENT_FORM })
    return z.NEVER
  })
  .describe('Last day (whole, UTC) or moment')

/** A day used as a bound of a date filter, inclusive; rejects days that do not exist. */
export const FilterDay = z.string().refine((text) => parseDay(text) !== undefined, 'must be a day such as 2026-11-20')

/** The least amount of a filter. A query carries it as text; the filter passes it on as text, as all filters do. */
export const LeastAmount = z
  .preprocess(
    (given) => (typeof given === 'string' && /^\d{1,12}(\.\d{1,2})?$/.test(given) ? Number(given) : given),
    z.number('must be an amount such as 1500 or 1500.50').min(0).max(999_999_999_999),
  )
  .transform(String)
  .describe('Only of this amount or more')

/**
 * Takes one or several values of an enumeration, as a list or as text with commas. Passes them on as text with commas, sorted and each
 * once, so that the same question gives the same page token.
 */
export const severalOf = (values: readonly string[]) =>
  z
    .unknown()
    .transform((given, ctx) => {
      const list: unknown[] = typeof given === 'string' ? given.split(',') : Array.isArray(given) ? given : []
      const texts = list.map((each) => (typeof each === 'string' ? each.trim() : ''))
      if (texts.length > 0 && texts.every((each) => values.includes(each))) return [...new Set(texts)].sort().join(',')
      ctx.addIssue({ code: 'custom', message: `must be one or more of ${values.join(', ')}` })
      return z.NEVER
    })
    .meta({ type: 'array', items: { type: 'string', enum: [...values] } })

/** The id of a record used as a filter: any text without control characters; one that does not exist finds nothing. */
export const FilterId = z.string().regex(/^[\w-]{1,80}$/, 'must be an id as the API gives it')
