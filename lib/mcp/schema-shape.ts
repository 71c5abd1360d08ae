import { isObject, type Json, type ObjectSchema, without } from './json-schema'

/** Keywords that say how far a value goes, and not what it is made of or means. */
const LIMITS = ['required', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern']

/** Keywords that say what a field means, which a list says once. */
const MEANING = ['description', 'enum']

/**
 * Returns a plain schema's names, types and what the fields mean, without its limits and without what `said` has of a field of the same name. A list
 * of tools has the answer of each, and the same fields stand in many; the catalog and the OpenAPI documents have the whole of each.
 */
export function saidOnce(schema: ObjectSchema, said: Set<string>): ObjectSchema {
  const isNew = (field: string, keyword: string, value: Json): boolean => {
    const text = JSON.stringify([field, keyword, value])
    if (said.has(text)) return false
    said.add(text)
    return true
  }
  const shape = (value: Json, field: string): Json => {
    if (Array.isArray(value)) return value.map((each) => shape(each, field))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(without(value, ...LIMITS)).flatMap(([name, each]): [string, Json][] => {
        if (MEANING.includes(name)) return isNew(field, name, each) ? [[name, each]] : []
        if (name !== 'properties' || !isObject(each)) return [[name, shape(each, field)]]
        return [[name, Object.fromEntries(Object.entries(each).map(([key, one]) => [key, shape(one, key)]))]]
      }),
    )
  }
  const whole = shape(schema, '')
  return { ...(isObject(whole) ? whole : {}), type: 'object' }
}
