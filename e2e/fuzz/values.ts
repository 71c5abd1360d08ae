import fc from 'fast-check'
import type { Schema } from './description'

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)
const DAY = { min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }

/** A longest text that is made; what a service takes up to is tried by {@link edges}. */
const LONG = 60

function text({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.date(DAY).map((day) => day.toISOString())
  if (format === 'date') return fc.date(DAY).map((day) => day.toISOString().slice(0, 10))
  const most = numberOf(maxLength, LONG)
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern)).filter((made) => made.length <= most)
  const least = numberOf(minLength, 0)
  return fc.string({ unit: 'grapheme', minLength: least, maxLength: Math.max(least, Math.min(most, LONG)) })
}

function object({ properties, required }: Schema): fc.Arbitrary<unknown> {
  const needed = listOf(required)
  const fields = Object.entries(Object(properties)).map(([name, schema]) => {
    const field = valid(Object(schema)).map((value) => [[name, value]] as const)
    return needed.includes(name) ? field : fc.oneof(field, fc.constant([]))
  })
  return fc.tuple(...fields).map((each) => Object.fromEntries(each.flat()))
}

/** Values that a schema takes. */
export function valid(schema: Schema): fc.Arbitrary<unknown> {
  const several = listOf(schema.anyOf ?? schema.oneOf)
  if (several.length > 0) {
    const { anyOf: _, oneOf: __, ...rest } = schema
    return fc.oneof(...several.map((each) => valid({ ...rest, ...Object(each) })))
  }
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valid({ ...schema, type })))
  const { minimum, maximum, minItems, maxItems, items } = schema
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: numberOf(minimum, -1000), max: Math.min(numberOf(maximum, 1000), 2 ** 31 - 1) })
    case 'number':
      return fc.double({ min: numberOf(minimum, -1000), max: numberOf(maximum, 1e9), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valid(Object(items)), { minLength: numberOf(minItems, 0), maxLength: numberOf(maxItems, 4) })
    case 'object':
      return object(schema)
    case 'string':
      return text(schema)
    default:
      return fc.jsonValue()
  }
}

/** Values at and beyond a schema's limits. */
export function edges({ minimum, maximum, minLength, maxLength, maxItems }: Schema): unknown[] {
  const bounds = [minimum, maximum].flatMap((bound) => (typeof bound === 'number' ? [bound - 1, bound, bound + 1] : []))
  const lengths = [minLength, maxLength].flatMap((most) =>
    typeof most === 'number' && most <= 10_000
      ? ['é'.repeat(most), 'x'.repeat(most + 1), 'x'.repeat(Math.max(0, most - 1))]
      : [],
  )
  const many = typeof maxItems === 'number' ? [Array.from({ length: maxItems + 1 }, () => 'x')] : []
  return [...bounds, ...lengths, ...many]
}

/** Texts that have broken programs. */
export const ODD_TEXTS = [
  ...['', ' ', '\u0000', 'a\u0000b', '\r\nX-Injected: 1', '\u202e', '\ufeff', '👩‍👩‍👧‍👦', '\ud800', 'İ', 'ﷺ', '\u2028'],
  ...["'", '"', "' OR 1=1 --", '#{7*7}', '{{7*7}}', '<script>', '../../etc/passwd', '%s%n', '%00', '\\', '*', ','],
  ...[
    'null',
    'undefined',
    'true',
    'NaN',
    'Infinity',
    '-0',
    '0x10',
    '1e3',
    '1e999',
    '1,5',
    ' 5',
    '5 ',
    '+5',
    '007',
    '٣',
  ],
  ...[
    '9007199254740993',
    '-9223372036854775809',
    '99999999999999999999',
    '0.1',
    '2026-02-30',
    '2026-13-01',
    '0000-00-00',
  ],
  ...[
    '2026-02-28T25:00:00Z',
    '2026-11-01T00:00:00+99:99',
    '275760-09-13',
    '-000001-01-01T00:00:00Z',
    '__proto__',
    'constructor',
  ],
  ...['x'.repeat(3000), 'é'.repeat(1000)],
]

const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)])

/** Values of every type, most of them of the wrong one. */
export const ODD_VALUES: unknown[] = [
  ...ODD_TEXTS,
  ...[null, true, false, 0, -0, -1, 1.5, 1e21, 5e-324, 2 ** 53, -(2 ** 63)],
  ...[
    [],
    {},
    [null],
    [[]],
    { a: 1 },
    { length: 5 },
    { length: { toString: '' } },
    { size: [{ toString: '' }] },
    { toString: null },
    nested(100),
    Array.from({ length: 2000 }, () => 0),
  ],
  ...[JSON.parse('{"__proto__": {"admin": true}}'), { constructor: { prototype: 1 } }],
]
