import type { Schema } from '../books'
import { valuesOf } from './match'
import { type Property, partsOf } from './property'
import type { Understood } from './understand'
import { closeness, stemsOf, wordsOf } from './words'

/** Values of an enumeration that the question says as they are written, words side by side. */
function saidValues(schema: Schema, question: Understood): string[] {
  const said = ` ${wordsOf(question.text)
    .map((word) => stemsOf(word)[0] ?? word.toLowerCase())
    .join(' ')} `
  return valuesOf(schema).filter((value) => {
    const words = wordsOf(value).map((word) => stemsOf(word)[0] ?? word.toLowerCase())
    if (words.length === 0) return false
    if (words.length > 1) return said.includes(` ${words.join(' ')} `)
    return words.every((word) => question.stems.some((stem) => closeness(stem, new Set([word])) > 0))
  })
}

/** Returns every value but `paid` for `unpaid`. */
function deniedValues(schema: Schema, question: Understood): string[] {
  const words = wordsOf(question.text).map((word) => word.toLowerCase())
  return valuesOf(schema).filter((value) => words.includes(`un${value}`))
}

/** Values that a description explains by a word of the question: `Google is search_ads, Facebook social_ads`. */
function explainedValues(schema: Schema, question: Understood): string[] {
  const explained = [...(schema.description ?? '').matchAll(/(\p{L}+) (?:is )?([a-z]+(?:_[a-z]+)*)/gu)]
  return valuesOf(schema).filter((value) =>
    explained.some(([, word = '', named]) => named === value && question.stems.includes(stemsOf(word)[0] ?? '')),
  )
}

/** Values of one enumeration argument. */
export function choose({ schema }: Property, question: Understood): string[] {
  const denied = deniedValues(schema, question)
  const asked = [...new Set([...saidValues(schema, question), ...explainedValues(schema, question)])]
  const said = asked.filter((value) => !denied.includes(value))
  if (denied.length === 0 || said.length > 0) return said
  return schema.type === 'array' ? valuesOf(schema).filter((value) => !denied.includes(value)) : []
}

export const SORT = /^(sort|order)(by)?$/i

/** A value such as `-amount` or `amount_desc`: what it sorts by, and whether the greatest comes first. */
function orderOf(value: string): { by: string[]; down: boolean } {
  const down = value.startsWith('-') || /desc|largest|most/i.test(value)
  return { by: stemsOf(value.replace(/desc|asc/i, '')), down }
}

const TIMES = new Set(stemsOf('date day start end due completed created updated'))

/** The order a question asks for among those a tool offers. */
export function chooseOrder(values: readonly string[], question: Understood): string | undefined {
  if (question.end === undefined) return undefined
  const fits = values.flatMap((value, i) => {
    const { by, down } = orderOf(value)
    const isTime = by.some((word) => TIMES.has(word))
    // Orders that say no direction have their own: the greatest first, as reports do.
    const hasBoth = values.some((other) => other === `-${value}` || value === `-${other}`)
    if ((hasBoth || value.startsWith('-')) && down !== (question.end === 'greatest')) return []
    if (isTime !== (question.endOf === 'time')) return []
    const said = by.reduce((sum, word) => sum + closeness(word, question.words), 0)
    return [{ value, rank: said - i / 100 }]
  })
  return fits.sort((a, b) => b.rank - a.rank)[0]?.value
}

/** A word of the question that has the form an argument needs, where the form is not one that any word has. */
export function byPattern(schema: Schema, text: string): string | undefined {
  if (schema.pattern === undefined) return undefined
  const pattern = new RegExp(schema.pattern)
  if (pattern.test('word') || pattern.test('WORD') || pattern.test('USD')) return undefined
  return text.split(/[\s,?]+/).find((word) => pattern.test(word))
}

/** A word without its letters and digits, so that two of one form are the same. */
const formOf = (word: string) =>
  word
    .replace(/[a-z]+/g, 'a')
    .replace(/[A-Z]+/g, 'A')
    .replace(/\d+/g, '9')

/** A word of the question that looks like the example of an argument, such as two words with a dash between. */
export function byExample({ description = '' }: Schema, text: string): string | undefined {
  const example = /such as ([\w-]+)/.exec(description)?.[1]
  if (example === undefined || !/[a-z]-[a-z]/i.test(example)) return undefined
  return text.split(/[\s,?]+/).find((word) => formOf(word) === formOf(example))
}

/** A word that is written with a capital in the question as in the argument's description, such as a type of permit. */
export function byDescription({ schema, required }: Property, question: Understood): string | undefined {
  if (required || schema.type !== 'string') return undefined
  const words = question.text
    .split(/[\s,?.]+/)
    .slice(1)
    .filter((word) => /^\p{Lu}\p{L}{3}/u.test(word))
  const listed = /\(([^)]*,[^)]*)\)/.exec(schema.description ?? '')?.[1]?.split(/,\s*/) ?? []
  return words.find((word) => listed.includes(word))
}

export const isAmount = ({ name, schema }: Property) =>
  schema.type === 'number' && /^(min|max|over|under|least|most)[A-Z]/.test(name)

export const isLimit = ({ name, schema }: Property) =>
  schema.type === 'integer' && schema.maximum !== undefined && /^(limit|top|count|max)/i.test(name)

/** The kind of record an argument that ends in `Id` names; of a plain `id` any. */
export const kindOf = ({ name, schema }: Property): string | undefined =>
  schema.type === 'string' && /^id$|[a-z]Id$/.test(name) ? (partsOf(name).slice(0, -1).at(-1) ?? '') : undefined

/** Reports whether an id may be given as the number that people know. */
export const takesNumber = ({ schema }: Property, entity: string): boolean =>
  /\d/.test(entity) &&
  /\bnumbers?\b/i.test(schema.description ?? '') &&
  (schema.pattern === undefined || new RegExp(schema.pattern).test(entity))

/** Reports whether a tool needs a text and takes the name of somebody or something for it. */
export const takesName = ({ schema, required }: Property): boolean =>
  required && schema.type === 'string' && schema.pattern === undefined && /\bname\b/i.test(schema.description ?? '')

/** A text to look for: the name that was said, else what the question is about. */
export const isQuery = ({ name, schema, required }: Property) =>
  schema.type === 'string' &&
  schema.pattern === undefined &&
  schema.enum === undefined &&
  (/^(query|search|q)$/i.test(name) || (required && /^text$/i.test(name)))

/** Returns the value of an argument of something to be written: the words, the day, a person’s name and number; an idempotency key. */
export function written(
  { name, schema, required }: Property,
  { form, message, entity, phone, ranges, today }: Understood,
): string | undefined {
  if (form.kind !== 'change' || schema.type !== 'string') return undefined
  const parts = partsOf(name)
  if (parts.includes('idempotency')) return `eval-${today}-${stemsOf(message ?? entity ?? '').join('-')}`.slice(0, 60)
  if (parts[0] === 'first') return entity?.split(' ')[0]
  if (parts[0] === 'last') return entity?.split(' ').slice(1).join(' ')
  if (name === 'phone') return phone
  if (name === 'text' || name === 'message') return message
  return required && /\b(day|date|calendar)\b/i.test(`${name} ${schema.description ?? ''}`)
    ? ranges[0]?.from
    : undefined
}

/** Pieces of work by their sizes: objects with numbers for what a person measures. */
export function pieces({ schema }: Property, question: Understood): Record<string, unknown>[] | undefined {
  const inner = schema.items?.properties
  if (schema.type !== 'array' || !inner || question.sizes.length === 0) return undefined
  const piece: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(inner)) {
    const [value] =
      one.enum && one.type === 'string' && schema.items?.required?.includes(name) ? saidValues(one, question) : []
    if (value !== undefined) piece[name] = value
  }
  if (Object.keys(piece).length === 0) return undefined
  const [length, width] = question.sizes
  for (const [name, value] of Object.entries({ length, width, rise: question.rise }))
    if (value !== undefined && inner[name]?.type === 'number') piece[name] = value
  return [piece]
}
