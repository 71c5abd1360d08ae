import {
  described,
  isObject,
  type Json,
  type JsonObject,
  type ObjectSchema,
  objects,
  propertiesOf,
  strings,
  without,
} from './json-schema'

const isNull = ({ type }: JsonObject): boolean => type === 'null'
const same = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Numbers as far as either schema goes; undefined where one has no bound. */
const bound = (one: Json | undefined, other: Json | undefined, choose: (...values: number[]) => number) =>
  typeof one === 'number' && typeof other === 'number' ? choose(one, other) : undefined

/** The default at the end of a description. */
const DEFAULT = /(?:^|; )default [^;]*$/

/** The shorter of two descriptions of one field: it is the more general. A default is told only where both have the same. */
function shorter(one: Json | undefined, other: Json | undefined): Json | undefined {
  const texts = strings([one ?? '', other ?? ''])
  const sameDefault = new Set(texts.map((text) => DEFAULT.exec(text)?.[0])).size === 1
  const said = texts.map((text) => (sameDefault ? text : text.replace(DEFAULT, ''))).filter((text) => text !== '')
  return said.reduce((short, text) => (text.length < short.length ? text : short), said[0] ?? '') || undefined
}

/** Returns a schema that takes what either takes; a choice of both where they are of different types. */
function mergeTwo(one: JsonObject, other: JsonObject): JsonObject {
  const [plainOne, plainOther] = [without(one, 'description'), without(other, 'description')]
  const description = shorter(one.description, other.description)
  const named: JsonObject = description === undefined ? {} : { description }
  if (same(plainOne, plainOther)) return { ...plainOne, ...named }
  if (one.type !== other.type || typeof one.type !== 'string') {
    const choices = [one, other].flatMap((each) => (each.anyOf ? objects(each.anyOf) : [without(each, 'description')]))
    const distinct = choices.filter((each, i) => choices.findIndex((first) => same(first, each)) === i)
    return { anyOf: distinct, ...named }
  }
  if (one.type === 'object') return { ...mergeObjects([one, other]), ...named }
  if (one.type === 'array' && isObject(one.items) && isObject(other.items))
    return { type: 'array', items: mergeTwo(one.items, other.items), ...named }
  const merged: JsonObject = { type: one.type, ...named }
  if (one.enum && other.enum) merged.enum = [...new Set([...strings(one.enum), ...strings(other.enum)])]
  const [minimum, maximum] = [bound(one.minimum, other.minimum, Math.min), bound(one.maximum, other.maximum, Math.max)]
  return { ...merged, ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) }
}

/** The property whose value tells the variants apart, such as `kind`: each variant has one value of its own. */
function discriminatorOf(variants: JsonObject[]): string | undefined {
  const [first] = variants
  return propertiesOf(first ?? {})
    .map(([name]) => name)
    .find((name) => {
      const values = variants.map((variant) => strings(Object.fromEntries(propertiesOf(variant))[name]?.enum))
      return values.every(({ length }) => length === 1) && new Set(values.flat()).size === variants.length
    })
}

/** The units at the end of a description: `ft or m`. */
const unitsOf = (schema: Json | undefined): string | undefined =>
  isObject(schema) && typeof schema.description === 'string'
    ? /(?:^|, )(\w+ or \w+)$/.exec(schema.description)?.[1]
    : undefined

/**
 * Returns what each variant needs, for the description of the property that tells them apart: `fence, block_wall: length, height`, with the
 * units of a property that others have in other units. A variant's own error names its other fields when a call has a field that it does not take.
 */
function needsOf(variants: JsonObject[], discriminator: string, merged: JsonObject): string {
  const kindsByNeeds = new Map<string, string[]>()
  for (const variant of variants) {
    const own = Object.fromEntries(propertiesOf(variant))
    const [kind] = strings(own[discriminator]?.enum)
    const required = strings(variant.required).filter((name) => name !== discriminator)
    const needs = required.map((name) => {
      const units = unitsOf(own[name])
      return units === undefined || units === unitsOf(merged[name]) ? name : `${name} (${units})`
    })
    const said = needs.join(', ')
    kindsByNeeds.set(said, [...(kindsByNeeds.get(said) ?? []), kind ?? ''])
  }
  return [...kindsByNeeds].map(([needs, kinds]) => `${kinds.join(', ')}: ${needs}`).join('; ')
}

/** Returns an object schema that takes what any of the variants takes; only what all of them require is required. */
function mergeObjects(variants: JsonObject[]): JsonObject {
  const properties = new Map<string, JsonObject>()
  for (const [name, schema] of variants.flatMap(propertiesOf)) {
    const known = properties.get(name)
    properties.set(name, known ? mergeTwo(known, schema) : schema)
  }
  const [first, ...others] = variants.map(({ required }) => strings(required))
  const required = (first ?? []).filter((name) => others.every((names) => names.includes(name)))
  const closed = variants.every(({ additionalProperties }) => additionalProperties === false)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    ...(closed ? { additionalProperties: false } : {}),
  }
}

/** A choice between objects as one object; a choice with null or of other types stays one. */
function choice(schema: JsonObject, io: 'input' | 'output', brief: boolean): JsonObject {
  const members = [...objects(schema.oneOf), ...objects(schema.anyOf)]
  const rest = without(schema, 'oneOf', 'anyOf')
  const values = members.filter((member) => !isNull(member))
  if (!values.every(({ type }) => type === 'object')) return { ...rest, anyOf: members }
  const merged = mergeObjects(values)
  const discriminator = values.length > 1 ? discriminatorOf(values) : undefined
  if (io === 'input' && !brief && discriminator !== undefined && isObject(merged.properties)) {
    const { [discriminator]: property } = merged.properties
    if (isObject(property))
      merged.properties[discriminator] = described(property, needsOf(values, discriminator, merged.properties))
  }
  if (values.length === members.length) return { ...merged, ...rest }
  return { anyOf: [merged, { type: 'null' }], ...rest }
}

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
