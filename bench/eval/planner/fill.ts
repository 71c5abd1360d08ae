import type { Schema } from '../books'
import {
  byDescription,
  byExample,
  byPattern,
  choose,
  chooseOrder,
  isAmount,
  isLimit,
  isQuery,
  kindOf,
  pieces,
  SORT,
  takesName,
  takesNumber,
  written,
} from './arguments'
import { propertiesIn, valuesOf } from './match'
import { isDate, lastOf, type Property, partsOf } from './property'
import type { Understood } from './understand'
import { closeness, stemsOf, wordsOf } from './words'

/** Returns which end of a period an argument takes: its last word says it. */
function endOf(name: string): 'from' | 'to' | undefined {
  const last = lastOf(name)
  if (/^(from|after|since|start|begin|min)$/.test(last)) return 'from'
  return /^(to|until|before|end|max)$/.test(last) ? 'to' : undefined
}

/** The moment of a record that a bound is for: `due` of one that begins the due days; empty where the name says none. */
const roleOf = (name: string) => stemsOf(partsOf(name).slice(0, -1).join(' '))

/** Bounds of a period; those of what did not happen only for a question that says so. Of several pairs the one whose moment the question names; of none of them the pair without a name. */
function fillPeriod(properties: readonly Property[], question: Understood): [name: string, value: string][] {
  const denied = /\bnot\b|n[’']t\b/i.test(question.text)
  const bounds = properties.filter(
    (one) => isDate(one) && endOf(one.name) && (denied || partsOf(one.name)[0] !== 'not'),
  )
  const [range] = question.ranges
  if (!range) return []
  const spoken = new Set(question.stems)
  const rank = (name: string) => {
    const role = roleOf(name)
    return role.length === 0 ? 0.5 : role.reduce((sum, word) => sum + closeness(word, spoken), 0)
  }
  const best = Math.max(0, ...bounds.map(({ name }) => rank(name)))
  // Several periods are compared: an answer that has them all lists them one by one, from the first to the last.
  const all = {
    from: question.ranges.map(({ from }) => from).sort()[0],
    to:
      question.ranges.length > 1
        ? question.ranges
            .map(({ to = '' }) => to)
            .sort()
            .at(-1)
        : range.to,
  }
  const used = new Set<string>()
  return bounds.flatMap(({ name }): [string, string][] => {
    const end = endOf(name)
    if (!end || rank(name) < best || best === 0 || used.has(end)) return []
    const value = all[end]
    if (!value) return []
    used.add(end)
    return [[name, value]]
  })
}

/** The arguments a question gives to a tool, and what they take from it. */
export type Filled = {
  args: Record<string, unknown>
  /** Parts of the question that the arguments carry: a period, an amount, an order, a name, words of a value. */
  taken: ReadonlySet<string>
  /** Arguments that name a record, for which an id has to be found first; by the kind of record. */
  wanted: ReadonlyMap<string, string>
  /** Required arguments that nothing gives. */
  missing: readonly string[]
}

/** Returns what to look for where nothing has a name: the question's words, without those for what the answer's fields are called. */
function topicOf(question: Understood, output: Schema): string {
  const fields = new Set(propertiesIn(output).flatMap(([name]) => stemsOf(name)))
  const words = wordsOf(question.text).filter((word) => {
    const [one] = stemsOf(word)
    return one !== undefined && question.stems.includes(one) && !fields.has(one) && !/..est$/i.test(word)
  })
  return (words.length > 0 ? words : question.stems).join(' ')
}

/** Returns the kind of work that a question names, as in “gutter projects”, unless the word is a value that records have. */
function workIn(question: Understood, output: Schema): string | undefined {
  const [, word] = /\b([a-z]{4,}) (?:projects?|jobs?)\b/i.exec(question.text) ?? []
  const [stem] = stemsOf(word ?? '')
  if (word === undefined || stem === undefined || /..est$/i.test(word) || !question.stems.includes(stem))
    return undefined
  const said = propertiesIn(output).flatMap(([name, schema]) => [name, ...valuesOf(schema)].flatMap(stemsOf))
  return said.includes(stem) ? undefined : word
}

/**
 * Returns how many rows to ask for: those that are wanted where they come in order; one, where the answer says how many there are and what
 * they sum up to.
 */
function rowsWanted(most: number, output: Schema, question: Understood, isOrdered: boolean): number {
  const sumsUp = ['count', 'total'].some((name) => output.properties?.[name] !== undefined)
  if (question.form.kind === 'figures' && question.end === undefined && question.entity === undefined && sumsUp)
    return 1
  return isOrdered ? Math.min(most, question.top ?? most) : most
}

/** The value that a question gives to an argument, with the part of the question it carries, or the kind of a record to be found first. */
type Given = { value: unknown; part?: string | undefined } | { wanted: string } | undefined
type Reader = (property: Property, question: Understood, output: Schema) => Given

const some = (value: unknown, part?: string): Given => (value === undefined ? undefined : { value, part })

/** The ways an argument can be filled; the first that gives something does. */
const READERS: readonly Reader[] = [
  (property, question) => some(written(property, question)),
  (property, question) => {
    const { schema } = property
    const word =
      byPattern(schema, question.text) ?? byExample(schema, question.text) ?? byDescription(property, question)
    return some(word, `form:${word}`)
  },
  (property, { entity }) => {
    const kind = kindOf(property)
    if (kind === undefined || entity === undefined) return undefined
    return kind === '' && takesNumber(property, entity) ? { value: entity, part: 'entity' } : { wanted: kind }
  },
  (property, { entity, form }) => (form.kind !== 'change' && takesName(property) ? some(entity, 'entity') : undefined),
  (property, question, output) => {
    if (!isQuery(property)) return undefined
    if (question.entity !== undefined) return some(question.entity, 'entity')
    // A list takes a text to be narrowed by, and not what it is asked for anyway.
    return some(
      property.required ? topicOf(question, output) : workIn(question, output),
      property.required ? undefined : 'work',
    )
  },
  (property, { over, under }) =>
    isAmount(property) ? some(/^(min|least|over|from)/i.test(property.name) ? over : under, 'amount') : undefined,
  ({ name, schema }, question) =>
    SORT.test(name) ? some(chooseOrder(valuesOf(schema), question), 'order') : undefined,
  (property, question) => {
    const values = SORT.test(property.name) ? [] : choose(property, question)
    return values.length === 0
      ? undefined
      : some(property.schema.type === 'array' ? values : values[0], `value:${values.join(' ')}`)
  },
  (property, question) => some(pieces(property, question), 'sizes'),
]

/** Fills a tool's arguments from a question. */
export function fill(input: Schema, output: Schema, question: Understood): Filled {
  const required = new Set(input.required ?? [])
  const properties = Object.entries(input.properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    required: required.has(name),
  }))
  const period = fillPeriod(properties, question)
  const args: Record<string, unknown> = Object.fromEntries(period)
  const taken = new Set(period.length > 0 ? ['period'] : [])
  const wanted = new Map<string, string>()
  for (const property of properties.filter(({ name }) => !(name in args))) {
    let given: Given
    for (const read of READERS) given ??= read(property, question, output)
    if (given === undefined) continue
    if ('wanted' in given) {
      wanted.set(property.name, given.wanted)
      continue
    }
    args[property.name] = given.value
    if (given.part !== undefined) taken.add(given.part)
  }
  const limit = properties.find(isLimit)
  if (limit) args[limit.name] = rowsWanted(limit.schema.maximum ?? 10, output, question, taken.has('order'))
  const missing = [...required].filter((name) => !(name in args) && !wanted.has(name))
  return { args, taken, wanted, missing }
}
