import type { Schema } from '../books'
import { wordsOf } from './words'

/** An argument of a tool. */
export type Property = { name: string; schema: Schema; required: boolean }

/** The words of an argument's name. */
export const partsOf = (name: string) => wordsOf(name).map((word) => word.toLowerCase())
/** The last of them. */
export const lastOf = (name: string) => partsOf(name).at(-1) ?? ''

/** Reports whether an argument takes a day or a moment. */
export const isDate = ({ name, schema }: Property) =>
  schema.type === 'string' &&
  schema.enum === undefined &&
  /\b(day|moment|date)\b/i.test(schema.description ?? '') &&
  !/token/i.test(name)
