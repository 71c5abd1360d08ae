import * as z from 'zod'

/** Returns the type of a field as the metadata document names it: `string`, `number` or `ISO 8601 string`. */
export function fieldType(schema: z.ZodType): string {
  const json = z.toJSONSchema(schema)
  return json.format === 'date-time' ? 'ISO 8601 string' : String(json.type)
}
