import { described, isObject, type Json, type JsonObject, objects, propertiesOf, strings, without } from './json-schema'

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
export function choice(schema: JsonObject, io: 'input' | 'output', brief: boolean): JsonObject {
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
