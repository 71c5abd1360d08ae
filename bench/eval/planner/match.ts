import type { ListedTool, Schema } from '../books'
import type { Understood } from './understand'
import { closeness, stemsOf, wordsOf } from './words'

/** The texts of a list of tools, ready to be compared with questions. */
export type Shelf = {
  tools: readonly ListedTool[]
  /** The words of each tool, each with the weight of the best place it stands at. */
  words: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** The stems of the fields of each tool's results. */
  fields: ReadonlyMap<string, ReadonlySet<string>>
  /** Reports whether the tools use a word; `plainly`: also where it is not written with a capital. */
  knows(word: string, plainly?: boolean): boolean
  rarity(word: string): number
}

const WEIGHTS = { name: 3, title: 2.5, purpose: 2, referred: 1.5, argument: 1.2, value: 1.2, field: 1, text: 0.8 }

/** Returns every property of a schema at any depth. */
export function propertiesIn(schema: Schema): [name: string, schema: Schema][] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]): [string, Schema][] => [
      [name, inner],
      ...propertiesIn(inner),
    ]),
    ...(schema.items ? propertiesIn(schema.items) : []),
    ...(schema.anyOf ?? []).flatMap(propertiesIn),
  ]
}

export const valuesOf = (schema: Schema): readonly string[] => schema.enum ?? schema.items?.enum ?? []

/** A description's own clauses, and those that send the reader to another tool. */
function clausesOf(
  tool: ListedTool,
  names: readonly string[],
): { own: string[]; others: [tool: string, text: string][] } {
  const own: string[] = []
  const others: [string, string][] = []
  for (const clause of tool.description.split(/(?<=[.;])\s/)) {
    const named = names.filter((name) => name !== tool.name && new RegExp(`\\b${name}\\b`).test(clause))
    if (named.length === 0) own.push(clause)
    for (const name of named) others.push([name, clause.replaceAll(name, ' ')])
  }
  return { own, others }
}

/** A tool whose arguments that are said to be as another tool takes them have what that tool says of them. */
function resolved(tool: ListedTool, tools: readonly ListedTool[]): ListedTool {
  const properties = Object.entries(tool.inputSchema.properties ?? {}).map(([name, schema]): [string, Schema] => {
    const other = tools.find(({ name: of }) => of !== tool.name && schema.description?.includes(`as ${of} takes`))
    return [name, other?.inputSchema.properties?.[name] ?? schema]
  })
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: Object.fromEntries(properties) } }
}

/** Reads a list of tools. */
export function makeShelf(tools: readonly ListedTool[]): Shelf {
  const words = new Map(tools.map(({ name }) => [name, new Map<string, number>()]))
  const fields = new Map<string, ReadonlySet<string>>()
  const plain = new Set<string>()
  const note = (tool: string, text: string, weight: number) => {
    for (const word of wordsOf(text)) if (/^\p{Ll}/u.test(word)) for (const one of stemsOf(word)) plain.add(one)
    const known = words.get(tool)
    for (const word of stemsOf(text)) known?.set(word, Math.max(known.get(word) ?? 0, weight))
  }
  const names = tools.map(({ name }) => name)
  for (const tool of tools) {
    const { own, others } = clausesOf(tool, names)
    const [purpose = '', ...rest] = own
    const at = (text: string, weight: number) => note(tool.name, text, weight)
    at(tool.name, WEIGHTS.name)
    at(tool.title, WEIGHTS.title)
    at(purpose, WEIGHTS.purpose)
    at(rest.join(' '), WEIGHTS.text)
    for (const [name, schema] of propertiesIn(tool.inputSchema)) {
      at(name, WEIGHTS.argument)
      at(valuesOf(schema).join(' '), WEIGHTS.value)
      at(schema.description ?? '', WEIGHTS.text / 2)
    }
    const results = propertiesIn(tool.outputSchema)
    for (const [name, schema] of results) at(`${name} ${valuesOf(schema).join(' ')}`, WEIGHTS.field)
    fields.set(tool.name, new Set(results.flatMap(([name]) => stemsOf(name))))
    for (const [other, text] of others) note(other, text, WEIGHTS.referred)
  }
  const spread = new Map<string, number>()
  for (const known of words.values()) for (const word of known.keys()) spread.set(word, (spread.get(word) ?? 0) + 1)
  return {
    tools: tools.map((tool) => resolved(tool, tools)),
    words,
    fields,
    knows: (word, plainly = false) => stemsOf(word).some((one) => (plainly ? plain : spread).has(one)),
    rarity: (word) => Math.log(1 + tools.length / (spread.get(word) ?? 1)),
  }
}

/** Measures how well a tool's words fit a question: the share of the question's meaning that it covers, weighted by place. */
export function closenessOf(shelf: Shelf, tool: ListedTool, question: Understood): number {
  const known = shelf.words.get(tool.name) ?? new Map<string, number>()
  const fields = shelf.fields.get(tool.name) ?? new Set<string>()
  const vocabulary = new Set(known.keys())
  let sum = 0
  for (const word of question.words) {
    const close = closeness(word, vocabulary)
    if (close === 0) continue
    const weight = Math.max(
      ...[...vocabulary].filter((other) => closeness(word, new Set([other])) > 0).map((other) => known.get(other) ?? 0),
    )
    sum += close * weight * shelf.rarity(word)
  }
  // What is asked for must come out of the tool, and best is its very subject.
  const subject = new Set(stemsOf(`${tool.name} ${tool.title}`))
  for (const word of question.asked) sum += 2 * closeness(word, fields) + 4 * closeness(word, subject)
  if (question.form.kind === 'list') sum += listFit(tool, question)
  return sum
}

/** A list is best had from what lists just that: by its name, or by a list in its results. */
function listFit(tool: ListedTool, { asked }: Understood): number {
  const lists = propertiesIn(tool.outputSchema).flatMap(([name, { type }]) => (type === 'array' ? stemsOf(name) : []))
  const all = new Set([...stemsOf(tool.name).slice(-1), ...lists])
  return [...asked].some((word) => closeness(word, all) > 0) ? 5 : 0
}
