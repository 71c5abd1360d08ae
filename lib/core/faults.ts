import type * as z from 'zod'
import type { FieldFault } from './errors'
import { nearestTo } from './nearest'

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
}

const FORMATS: Record<string, string> = {
  email: 'an email address such as ana@example.com',
  url: 'a URL that starts with https://',
  datetime: 'an ISO 8601 time with an offset such as 2026-01-31T08:00:00Z',
  date: 'a date such as 2026-01-31',
  time: 'a time such as 08:30:00',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
}

/** The units that a size counts: characters of text or items of a list. The size of a number is its value. */
const UNITS: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  object: ['field', 'fields'],
  record: ['field', 'fields'],
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return 'an infinite one'
  return KINDS[typeof value] ?? typeof value
}

function mistyped(expected: string, input: unknown): string {
  if (input === undefined) return 'is required'
  if (expected === 'int' && typeof input === 'number') return 'must be a whole number'
  const wanted = `must be ${KINDS[expected] ?? expected}`
  // A text that was read as a number and is none.
  return Number.isNaN(input) ? wanted : `${wanted}, not ${kindOf(input)}`
}

type Sized = { origin: string; exact?: boolean | undefined; inclusive?: boolean | undefined }

function sized({ origin, exact, inclusive }: Sized, size: number | bigint, [to, beyond]: [string, string]): string {
  const words = exact ? 'exactly' : inclusive ? to : beyond
  const unit = UNITS[origin]
  return unit ? `must have ${words} ${size} ${unit[Number(size) === 1 ? 0 : 1]}` : `must be ${words} ${size}`
}

/** The fields of the object that a fault is about; none where it is no object with named fields. */
const fieldsOf = (schema: { _zod: { def: object } } | undefined): string[] => {
  const { shape } = Object(schema?._zod.def)
  return Object.keys(Object(shape))
}

/** The most fields that nobody knows that an error names. */
const MOST_NAMED = 10

function undocumented(keys: string[], fields: string[]): string {
  const shown = keys.slice(0, MOST_NAMED).map((key) => `"${key.slice(0, 60)}"`)
  const names = [...shown, ...(keys.length > MOST_NAMED ? [`and ${keys.length - MOST_NAMED} more`] : [])].join(', ')
  const [first = ''] = keys
  const nearest = nearestTo(first, fields)
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return `has no ${keys.length === 1 ? 'field' : 'fields'} ${names}${meant || ';'} there are ${fields.join(', ') || 'none'}`
}

/**
 * Says what is wrong with a value as the predicate of a sentence that begins with the field's name: `limit` "must be at most 100".
 * Pass it as `error` when parsing; a schema's own message comes before it.
 */
export const sentenceOf: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return mistyped(issue.expected, issue.input)
    case 'invalid_value': {
      const values = issue.values.map(String)
      return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`
    }
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty'
      return sized(issue, issue.minimum, ['at least', 'more than'])
    case 'too_big':
      return sized(issue, issue.maximum, ['at most', 'less than'])
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'written in the documented form'}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return undocumented(issue.keys, fieldsOf(issue.inst))
    case 'invalid_union':
      if (Array.isArray(issue.options)) return `must be one of ${issue.options.map(String).join(', ')}`
      return 'has none of the documented forms'
    case 'invalid_key':
    case 'invalid_element':
      return 'holds a value that is not documented'
    default:
      return 'is not valid'
  }
}

/**
 * Returns every fault of a parse, worded by {@link sentenceOf}, with its field. A field of the wrong type gets that fault only.
 * @param whole what to call the input where no field is at fault
 */
export function faultsOf(error: z.ZodError, whole: string): FieldFault[] {
  const mistyped = new Set<string>()
  return error.issues.flatMap(({ path, code, message }) => {
    const field = path.join('.') || whole
    if (mistyped.has(field)) return []
    if (code === 'invalid_type') mistyped.add(field)
    return [{ field, message }]
  })
}
