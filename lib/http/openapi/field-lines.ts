import { type Json, objectOf } from './schema'

/** A field of a body or an answer; `depth` counts the objects around it. */
export type FieldLine = { name: string; type: string; description: string; required: boolean; depth: number }

const DEEPEST = 3

const NAMES: Record<string, string> = { 'date-time': 'ISO 8601 moment', date: 'day' }

/** The type of a schema in words: `text`, `list of objects`, `one of paid, overdue`. */
function typeOf(schema: Json): string {
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map(String).join(', ')}`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (typeof schema.format === 'string' && NAMES[schema.format]) return NAMES[schema.format] ?? ''
  const types = [schema.type].flat().filter((type): type is string => typeof type === 'string')
  if (types.length > 0) return types.join(' or ')
  if (!Array.isArray(schema.anyOf)) return 'any value'
  return [...new Set(schema.anyOf.map((branch) => typeOf(objectOf(branch))))].join(' or ')
}

/** The object whose fields a schema shows: itself, or what its list is made of. */
function innerOf(schema: Json, resolve: (value: unknown) => Json): Json | undefined {
  if (schema.properties !== undefined) return schema
  if (schema.items === undefined) return undefined
  const items = resolve(schema.items)
  return items.properties === undefined ? undefined : items
}

/**
 * The fields of an object's schema, each followed by those within it.
 * @param resolve gives what a `$ref` names
 */
export function fieldLines(given: unknown, resolve: (value: unknown) => Json, depth = 0): FieldLine[] {
  const schema = innerOf(resolve(given), resolve)
  if (!schema || depth > DEEPEST) return []
  const needed = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(objectOf(schema.properties)).flatMap(([name, property]) => {
    const field = resolve(property)
    const description = typeof field.description === 'string' ? field.description : ''
    const line = { name, type: typeOf(field), description, required: needed.includes(name), depth }
    return [line, ...fieldLines(field, resolve, depth + 1)]
  })
}
