import { described, isObject, type Json, type JsonObject, type ObjectSchema, strings, without } from './json-schema'
import { choice } from './merge-schemas'

/** Words that stand for a format, because Gemini refuses every format of a string except `date-time`. */
const FORMATS: Record<string, string> = { date: 'YYYY-MM-DD', 'date-time': 'ISO 8601', email: 'email address' }

/** A schema whose references into `$defs` are replaced by what they refer to. Our schemas are not recursive. */
function inlined(value: Json, definitions: JsonObject): Json {
  if (Array.isArray(value)) return value.map((each) => inlined(each, definitions))
  if (!isObject(value)) return value
  if (typeof value.$ref === 'string') {
    const found = definitions[value.$ref.replace('#/$defs/', '')]
    if (!isObject(found)) throw new Error(`${value.$ref} is not defined`)
    const target = inlined(found, definitions)
    return isObject(target) ? { ...target, ...without(value, '$ref') } : target
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inlined(each, definitions)]))
}

/**
 * A keyword that some provider refuses, as one that all of them take. Bounds are shown as inclusive, lengths and
 * patterns of texts and a bound of zero not at all; a call is held to the exact ones.
 */
function rewritten(schema: JsonObject, io: 'input' | 'output'): JsonObject {
  let plain = without(
    schema,
    'const',
    'default',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'format',
    'minLength',
    'maxLength',
    'pattern',
  )
  if (plain.minimum === 0) plain = without(plain, 'minimum')
  if (isFar(plain.maximum)) plain = without(plain, 'maximum')
  if (isFar(plain.minimum)) plain = without(plain, 'minimum')
  if (typeof schema.const === 'string') plain.enum = [schema.const]
  else if (schema.const !== undefined) plain.type ??= typeof schema.const
  if (isSaid(schema.exclusiveMinimum)) plain.minimum = schema.exclusiveMinimum
  if (typeof schema.exclusiveMaximum === 'number') plain.maximum = schema.exclusiveMaximum
  if (io === 'input' && schema.default !== undefined && !isEmpty(schema.default))
    plain = described(plain, `default ${JSON.stringify(schema.default).replaceAll('"', '')}`)
  const format = typeof schema.format === 'string' ? FORMATS[schema.format] : undefined
  if (io === 'input' && format !== undefined) plain = described(plain, format)
  if (Array.isArray(plain.type)) {
    const types = strings(plain.type)
    const { description, ...rest } = without(plain, 'type')
    const choices = types.map((type): JsonObject => (type === 'null' ? { type } : { ...rest, type }))
    return { anyOf: choices, ...(description === undefined ? {} : { description }) }
  }
  return plain
}

/** Reports whether an exclusive bound is shown: one of zero is not. */
const isSaid = (bound: Json | undefined): bound is number => typeof bound === 'number' && bound !== 0

/** Reports whether a bound only guards against nonsense, so that no model needs to read it; a call beyond it is refused with the bound. */
const isFar = (bound: Json | undefined): boolean => typeof bound === 'number' && Math.abs(bound) >= 80

/** The keywords that a schema below `brief` leaves out. */
const UNSAID = ['description', 'minimum', 'maximum']

/** A schema below `brief`: without what another tool tells, but with the one value that tells a variant from others. */
function briefly(schema: JsonObject): JsonObject {
  const isOne = Array.isArray(schema.enum) && schema.enum.length === 1
  return without(schema, ...UNSAID, ...(isOne ? [] : ['enum']))
}

/** A default that says nothing: what is left out is none, zero or no. */
const isEmpty = (value: Json): boolean => value === 0 || value === false || (Array.isArray(value) && value.length === 0)

function plain(value: Json, io: 'input' | 'output', brief = false): Json {
  if (Array.isArray(value)) return value.map((each) => plain(each, io, brief))
  if (!isObject(value)) return value
  const below = brief || value.brief === true
  const walked = Object.fromEntries(
    Object.entries(without(value, 'brief')).map(([name, each]) => {
      if (name === 'properties' && isObject(each))
        return [name, Object.fromEntries(Object.entries(each).map(([key, schema]) => [key, plain(schema, io, below)]))]
      return [name, name === 'default' || name === 'enum' ? each : plain(each, io, below)]
    }),
  )
  const simple = rewritten(walked, io)
  const chosen = simple.oneOf || simple.anyOf ? choice(simple, io, brief) : simple
  return brief ? briefly(chosen) : chosen
}

/**
 * A JSON Schema in the subset that OpenAI's strict mode, Anthropic and Gemini all take: no `$ref`, `oneOf`, `const`, `default`, exclusive
 * bounds, string formats or lists of types. A choice between objects becomes one object with the fields of all, whose `kind` (or the
 * like) says which of them each needs; the operation still parses the exact schema. Below `brief: true` neither
 * descriptions, bounds nor words are shown but the kinds there are, because another tool shows them. Sources: OpenAI "Structured outputs: supported schemas"; Google "Function calling: schema";
 * Anthropic "Tool use: input_schema".
 */
export function plainSchema(schema: JsonObject, io: 'input' | 'output'): ObjectSchema {
  const definitions = isObject(schema.$defs) ? schema.$defs : {}
  const whole = plain(inlined(without(schema, '$defs'), definitions), io)
  return { ...(isObject(whole) ? whole : {}), type: 'object' }
}
