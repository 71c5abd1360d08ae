import type * as z from 'zod'
import type { FieldFault } from '@/lib/core/errors'
import { parseDay, parseInstant } from '@/lib/core/time'

/** Two fields that bound the same thing: `from` and `to`, `dueFrom` and `dueTo`, `minAmount` and `maxAmount`. */
type Range = [first: string, last: string]

const PARTNERS: [begins: RegExp, partner: string][] = [
  [/^from$/, 'to'],
  [/From$/, 'To'],
  [/^min(?=[A-Z])/, 'max'],
]

const made = new WeakMap<z.ZodObject, Range[]>()

/** Returns the ranges among the fields of an input, made once for each. */
function rangesOf(schema: z.ZodObject): Range[] {
  const known = made.get(schema)
  if (known) return known
  const ranges = Object.keys(schema.shape).flatMap((first): Range[] => {
    const [begins, partner = ''] = PARTNERS.find(([each]) => each.test(first)) ?? []
    const last = begins && first.replace(begins, partner)
    return last && last in schema.shape ? [[first, last]] : []
  })
  made.set(schema, ranges)
  return ranges
}

const DAY_MS = 86_400_000

/** Returns a bound as a number, a day as its first or its last moment; undefined for what is neither a number nor a date. */
function boundOf(given: unknown, end: 'first' | 'last'): number | undefined {
  if (typeof given === 'number') return given
  if (typeof given !== 'string' || given.trim() === '') return undefined
  const day = parseDay(given)
  if (day) return day.getTime() + (end === 'last' ? DAY_MS - 1 : 0)
  const number = Number(given)
  return Number.isNaN(number) ? parseInstant(given)?.getTime() : number
}

/** Returns what is wrong with ranges that end before they begin: whoever asks for one would take the empty answer for a true one. */
export function reversedRanges(schema: z.ZodObject, values: unknown): FieldFault[] {
  const given: Record<string, unknown> = Object(values)
  return rangesOf(schema).flatMap(([first, last]): FieldFault[] => {
    const [from, to] = [boundOf(given[first], 'first'), boundOf(given[last], 'last')]
    if (from === undefined || to === undefined || from <= to) return []
    return [{ field: first, message: `${given[first]} is beyond ${last}, ${given[last]}; exchange the two` }]
  })
}
