import { isObject, type JsonObject } from './json'

/** The kind of a form field. `json` takes any value that the other kinds cannot. */
export type FieldKind = 'text' | 'long' | 'integer' | 'number' | 'choice' | 'date' | 'moment' | 'json'

/** An argument of a tool as a form field. */
export type Field = {
  name: string
  kind: FieldKind
  required: boolean
  description: string
  /** The initial value; empty means the argument is left out. */
  start: string
  min: number | undefined
  max: number | undefined
  minLength: number | undefined
  maxLength: number | undefined
  pattern: string | undefined
  /** The options of a choice: the text shown, and its JSON value. */
  options: { text: string; value: unknown }[]
}

/** A tool's arguments as a form; `whole` when there is one JSON field for all, because they are not a plain object. */
export type Form = { whole: boolean; fields: Field[] }

/** Texts that may be longer than this get a field with several lines. */
const LONG = 2_000

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** Returns a schema without its "or null" part, because null means that the argument is left out. */
function withoutNull(schema: JsonObject): JsonObject {
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) {
    const rest = choices.filter((choice) => isObject(choice) && choice.type !== 'null')
    if (rest.length === 1 && isObject(rest[0])) return { ...schema, anyOf: undefined, oneOf: undefined, ...rest[0] }
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null')
    if (types.length === 1) return { ...schema, type: types[0] }
  }
  return schema
}

function optionsOf(schema: JsonObject): Field['options'] {
  if (schema.type === 'boolean') return [true, false].map((value) => ({ text: value ? 'yes' : 'no', value }))
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : []
  return values.filter((value) => value !== null).map((value) => ({ text: String(value), value }))
}

function kindOf(schema: JsonObject, options: Field['options']): FieldKind {
  if (options.length > 0) return 'choice'
  if (schema.type === 'integer' || schema.type === 'number') return schema.type
  if (schema.type !== 'string') return 'json'
  if (schema.format === 'date') return 'date'
  if (schema.format === 'date-time') return 'moment'
  return (numberOf(schema.maxLength) ?? 0) > LONG ? 'long' : 'text'
}

function startOf(value: unknown, options: Field['options']): string {
  if (value === undefined || value === null) return ''
  const option = options.find((option) => option.value === value)
  if (option) return option.text
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function fieldOf(name: string, given: unknown, required: boolean): Field {
  const schema = withoutNull(isObject(given) ? given : {})
  const options = optionsOf(schema)
  return {
    name,
    kind: kindOf(schema, options),
    required,
    description: textOf(schema.description) ?? textOf(schema.title) ?? '',
    start: startOf(schema.default, options),
    min: numberOf(schema.minimum) ?? exclusive(schema, 'exclusiveMinimum', 1),
    max: numberOf(schema.maximum) ?? exclusive(schema, 'exclusiveMaximum', -1),
    minLength: numberOf(schema.minLength),
    maxLength: numberOf(schema.maxLength),
    pattern: textOf(schema.pattern),
    options,
  }
}

/** Turns an exclusive bound of an integer into the adjacent inclusive one; for other numbers the server checks it. */
function exclusive(schema: JsonObject, bound: string, step: number): number | undefined {
  const value = numberOf(schema[bound])
  return value === undefined || schema.type !== 'integer' ? undefined : value + step
}

/**
 * Returns the form for a tool's input schema: texts, numbers, booleans, choices, dates and times, with their defaults and limits,
 * required fields first. Nested values are entered as JSON; a schema that is not a plain object becomes one JSON field.
 */
export function formOf(schema: unknown): Form {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
  const isChoice = isObject(schema) && (Array.isArray(schema.oneOf) || Array.isArray(schema.anyOf))
  if (isChoice) return { whole: true, fields: [{ ...fieldOf('arguments', {}, true), start: '{}' }] }
  const needed = isObject(schema) && Array.isArray(schema.required) ? schema.required : []
  const fields = Object.entries(properties).map(([name, property]) => fieldOf(name, property, needed.includes(name)))
  return { whole: false, fields: [...fields.filter(({ required }) => required), ...fields.filter((f) => !f.required)] }
}

/** Returns the initial values of the fields: the arguments of an earlier call, otherwise the defaults. */
export function startValues({ whole, fields }: Form, given?: JsonObject): Record<string, string> {
  if (whole) return { arguments: given ? JSON.stringify(given, null, 2) : '{}' }
  return Object.fromEntries(
    fields.map(({ name, start, options }) => [name, given ? startOf(given[name], options) : start]),
  )
}
