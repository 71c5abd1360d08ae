import { parsedText } from '@/lib/core/json'
import { plainName } from '@/lib/core/nearest'
import { isObject, type JsonObject, objects, propertiesOf, strings } from './json-schema'

/** A value as JSON has it. */
type Given = unknown

const NUMBER = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/
/** The longest text that is read as a number. */
const LONGEST_NUMBER = 20

const WORDS = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
])
/** The longest text that is read as one of these words. */
const LONGEST_BOOLEAN = 10

/** The most items of a list that are read one by one, and the longest text with commas that is read as one. */
const MOST_ITEMS = 100
const LONGEST_LIST = 5_000

/** Returns the only item of a list, and everything else as it is. */
const single = (value: Given): Given => (Array.isArray(value) && value.length === 1 ? value[0] : value)

function readNumber(given: Given): Given {
  const value = single(given)
  if (typeof value !== 'string' || value.length > LONGEST_NUMBER) return value
  const text = value.trim()
  return NUMBER.test(text) ? Number(text.replaceAll(',', '')) : value
}

function readBoolean(given: Given): Given {
  const value = single(given)
  if (typeof value !== 'string' || value.length > LONGEST_BOOLEAN) return value
  return WORDS.get(value.trim().toLowerCase()) ?? value
}

/** The longest text that is read as a word of an enumeration. */
const LONGEST_WORD = 100

/** The order that a text ends with. */
const ORDER = /[\s:](asc|desc)(?:ending)?$/i

/** The one of some words that a text is in another spelling: `In Progress` for `in_progress`, `invoices` for `invoice`, `date desc` for `-date`. */
function readWord(text: string, words: readonly string[]): string {
  if (words.includes(text) || text.length > LONGEST_WORD) return text
  const order = ORDER.exec(text)
  const name = order ? text.slice(0, order.index) : text
  const isDown = (each: string) => each.trimStart().startsWith('-')
  const down = isDown(text) || order?.[1]?.toLowerCase() === 'desc'
  const same = words.filter((word) => plainName(word) === plainName(name) && isDown(word) === down)
  const [first, ...others] = same
  return first !== undefined && others.length === 0 ? first : text
}

function readText(given: Given, schema: JsonObject): Given {
  const value = single(given)
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && schema.enum ? readWord(text, strings(schema.enum)) : text
}

function readList(given: Given, schema: JsonObject): Given {
  const items = isObject(schema.items) ? schema.items : {}
  const value = parsedText(given, '[')
  const isSeveral = typeof value === 'string' && value.length <= LONGEST_LIST && items.enum && value.includes(',')
  const list = Array.isArray(value) ? value : isSeveral ? value.split(',').map((each) => each.trim()) : [value]
  return list.length > MOST_ITEMS ? list : list.map((each) => readValue(each, items))
}

function readObject(given: Given, schema: JsonObject): Given {
  const value = parsedText(given, '{')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const known = new Map(propertiesOf(schema))
  const required = strings(schema.required)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      if (isLeftOut(each) && !required.includes(name)) return []
      const property = known.get(name)
      return [[name, property ? readValue(each, property) : each]]
    }),
  )
}

/** Reports whether a value stands for one that is left out, where it may be. */
export const isLeftOut = (value: Given): boolean => value === null || value === '' || value === 'null'

const TYPES: Record<string, (value: Given) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}
const isOf = ({ type }: JsonObject, value: Given): boolean => TYPES[String(type)]?.(value) ?? false

/**
 * Returns what a value means where a schema wants another type or spelling, and nothing is lost by it: `"2"` for a number, `"true"` for a
 * boolean, one value or JSON text for a list, a word of an enumeration in other letters. Everything else comes back as it is, for the tool's own
 * schema to refuse.
 */
export function readValue(value: Given, schema: JsonObject): Given {
  const choices = objects(schema.anyOf)
  if (choices.length > 0) {
    if (choices.some((choice) => isOf(choice, value))) return value
    const read = choices.map((choice) => readValue(value, choice))
    return read.find((each, at) => isOf(choices[at] ?? {}, each)) ?? value
  }
  switch (schema.type) {
    case 'number':
    case 'integer':
      return readNumber(value)
    case 'boolean':
      return readBoolean(value)
    case 'string':
      return readText(value, schema)
    case 'array':
      return readList(value, schema)
    case 'object':
      return readObject(value, schema)
    default:
      return value
  }
}
