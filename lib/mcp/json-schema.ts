/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

/** A JSON Schema of an object, as MCP wants them at the root. */
export type ObjectSchema = { type: 'object'; [name: string]: Json }

/** Reports whether a value is an object of named values. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** The objects of a list; none for anything else. */
export const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
/** The texts of a list; none for anything else. */
export const strings = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
/** The fields of an object’s schema. */
export const propertiesOf = ({ properties }: JsonObject): [string, JsonObject][] =>
  Object.entries(isObject(properties) ? properties : {}).flatMap(([name, value]): [string, JsonObject][] =>
    isObject(value) ? [[name, value]] : [],
  )
/** A copy of a schema without some keywords. */
export const without = ({ ...schema }: JsonObject, ...names: string[]): JsonObject => {
  for (const name of names) delete schema[name]
  return schema
}

/** A schema whose description says something more. */
export const described = (schema: JsonObject, more: string): JsonObject => {
  const { description } = schema
  if (typeof description !== 'string') return { ...schema, description: more }
  return description.includes(more) ? schema : { ...schema, description: `${description}; ${more}` }
}
