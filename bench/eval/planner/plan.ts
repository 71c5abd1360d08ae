import type { ListedTool } from '../books'
import { type Filled, fill } from './fill'
import { closenessOf, propertiesIn, type Shelf } from './match'
import type { Understood } from './understand'
import { stemsOf } from './words'

/** A tool with its arguments, and how well it fits. */
export type Plan = Filled & { tool: ListedTool; score: number }

const TAKEN = 3
const LEFT = 2.5
/** The penalty for leaving out the name: an answer is then about everybody. */
const NAME_LEFT = 6
const EXTRA_CALL = 1.5

/** The parts of a question that arguments can carry. */
const partsOf = ({ ranges, over, under, end, entity, sizes }: Understood): string[] => [
  ...(ranges.length > 0 ? ['period'] : []),
  ...(over !== undefined || under !== undefined ? ['amount'] : []),
  ...(end === undefined ? [] : ['order']),
  ...(entity === undefined ? [] : ['entity']),
  ...(sizes.length > 0 ? ['sizes'] : []),
]

/** Scores what a tool carries of a question beyond its words: each part by an argument, and each value that is named. */
function carried(filled: Filled, question: Understood, others: ReadonlySet<string>): number {
  // A value that is what another tool is about speaks for that tool.
  const named = [...filled.taken].filter(
    (part) =>
      /^form:/.test(part) || (/^value:/.test(part) && !stemsOf(part.slice(6)).every((word) => others.has(word))),
  ).length
  const has = (part: string) => filled.taken.has(part) || (part === 'entity' && filled.wanted.size > 0)
  return partsOf(question).reduce(
    (sum, part) => sum + (has(part) ? TAKEN : part === 'entity' ? -NAME_LEFT : -LEFT),
    named * TAKEN * 0.7,
  )
}

/** Returns every tool that a question can be put to, the best fit first. Only tools that write are asked for a change, and never otherwise. */
export function plansFor(shelf: Shelf, question: Understood): Plan[] {
  const writes = question.form.kind === 'change'
  const subjects = shelf.tools.map(({ name }) => [name, stemsOf(name)] as const)
  return shelf.tools
    .filter(({ readOnly }) => readOnly !== writes)
    .flatMap((tool): Plan[] => {
      const filled = fill(tool.inputSchema, tool.outputSchema, question)
      if (filled.missing.length > 0) return []
      const own = new Set(stemsOf(tool.name))
      const others = new Set(subjects.flatMap(([, words]) => words).filter((word) => !own.has(word)))
      const extra = filled.wanted.size > 0 ? EXTRA_CALL : 0
      const lists = propertiesIn(tool.outputSchema).some(([, { type }]) => type === 'array')
      const misfit = question.form.kind === 'list' && !lists ? 6 : 0
      return [
        {
          ...filled,
          tool,
          score: closenessOf(shelf, tool, question) + carried(filled, question, others) - extra - misfit,
        },
      ]
    })
    .sort((a, b) => b.score - a.score)
}

const CALLED_BY = new Set(stemsOf('name number phone street email id'))

/** The tool that finds ids by what people call things: it looks for a text, says it takes names and numbers, and its results have ids. */
export function finder({ tools }: Shelf): { tool: ListedTool; argument: string } | undefined {
  const found = tools.flatMap((tool) => {
    const { properties = {}, required = [] } = tool.inputSchema
    const argument = required.find(
      (name) => properties[name]?.type === 'string' && properties[name]?.pattern === undefined,
    )
    const hasIds = propertiesIn(tool.outputSchema).some(([name]) => name === 'id')
    if (!tool.readOnly || argument === undefined || !hasIds) return []
    const words = new Set(stemsOf(tool.description))
    return [{ tool, argument, fits: [...CALLED_BY].filter((word) => words.has(word)).length }]
  })
  return found.sort((a, b) => b.fits - a.fits)[0]
}

/** Returns the tool that lists records of a kind by an id of another kind and whose name says the kind. */
export function lister({ tools }: Shelf, kind: string, by: string): { tool: ListedTool; argument: string } | undefined {
  const argument = `${by}Id`
  const tool = tools.find(
    ({ readOnly, name, inputSchema: { properties = {}, required = [] } }) =>
      readOnly &&
      properties[argument] !== undefined &&
      required.length === 0 &&
      stemsOf(name).at(-1) === stemsOf(kind)[0],
  )
  return tool && { tool, argument }
}
