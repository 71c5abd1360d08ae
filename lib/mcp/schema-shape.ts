import { isObject, type Json, type ObjectSchema, without } from './json-schema'

/** Keywords that say what a value means or how far it goes, and not what it is made of. */
const BESIDE_SHAPE = ['description', 'enum', 'required', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern']

/** A schema's fields by name, as a record; empty for anything else. */
const entriesIn = (value: Json | undefined): [string, Json][] => (isObject(value) ? Object.entries(value) : [])

/**
 * Only the shape of a plain schema: names and types, and of a list within a list only that it is one. A list of tools has it of every
 * answer, which takes half as much room; the catalog and the OpenAPI documents have the whole.
 */
export function shapeOnly(schema: ObjectSchema): ObjectSchema {
  const shape = (value: Json, isListed: boolean): Json => {
    if (Array.isArray(value)) return value.map((each) => shape(each, isListed))
    if (!isObject(value)) return value
    const left = without(value, ...BESIDE_SHAPE, ...(isListed ? ['items'] : []))
    return Object.fromEntries(
      Object.entries(left).map(([name, each]) => {
        if (name !== 'properties') return [name, shape(each, isListed || name === 'items')]
        return [name, Object.fromEntries(entriesIn(each).map(([key, one]) => [key, shape(one, isListed)]))]
      }),
    )
  }
  const whole = shape(schema, false)
  return { ...(isObject(whole) ? whole : {}), type: 'object' }
}
