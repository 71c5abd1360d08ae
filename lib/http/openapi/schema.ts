import * as z from 'zod'

/** The two editions of the document: 3.1 for today's tools, 3.0.3 for those that do not read it yet. */
export type Edition = '3.1' | '3.0'

export type Json = { [key: string]: unknown }

const TARGET = { '3.1': 'draft-2020-12', '3.0': 'openapi-3.0' } as const

const INT32 = 2 ** 31 - 1

/** The format of whole numbers within the given bounds. */
const widthOf = ({ minimum = -Infinity, maximum = Infinity }: { minimum?: number; maximum?: number }) =>
  minimum >= -INT32 && maximum <= INT32 ? 'int32' : 'int64'

/** A whole number from `minimum` up; without a `maximum` as large as 32 bits have it. */
export const whole = (minimum: number, maximum = INT32): Json => ({
  type: 'integer',
  format: widthOf({ minimum, maximum }),
  minimum,
  maximum,
})

/** A schema as the document carries it. Outputs are open: clients must ignore fields they do not know (specification 9.2). */
export function jsonSchema(schema: z.ZodType, edition: Edition, io: 'input' | 'output'): Json {
  const {
    $schema: _,
    '~standard': __,
    ...json
  } = z.toJSONSchema(schema, {
    target: TARGET[edition],
    io,
    override: ({ jsonSchema }) => {
      if (io === 'output') delete jsonSchema.additionalProperties
      // The pattern that zod adds to a day or moment says no more than the format, and generators cannot read it or turn it into noise.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
      // Generators of typed languages choose their integer by it.
      if (jsonSchema.type === 'integer') jsonSchema.format = widthOf(jsonSchema)
      // In 3.0.3 an enumeration that may be null has to list null, which generators take for a word; so its words are told instead.
      if (edition === '3.0' && jsonSchema.nullable && jsonSchema.enum) {
        const { description, enum: values } = jsonSchema
        jsonSchema.description = `${description === undefined ? '' : `${description}. `}One of ${values.join(', ')}, or null`
        delete jsonSchema.enum
      }
    },
  })
  return json
}

/** A reference to a part of the document. */
export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

export const pascal = (word: string): string =>
  word.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A part of the document that should be an object; an empty one where it is not. */
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
