import { z } from 'zod'

/** What the metadata document calls a field's type: `string`, `number` or `ISO 8601 string`. */
export function fieldType(schema: z.ZodType): string {
  const json = z.toJSONSchema(schema)
  return json.format === 'date-time' ? 'ISO 8601 string' : String(json.type)
}
