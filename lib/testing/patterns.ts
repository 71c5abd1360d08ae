import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { check } from 'recheck'
import { parseAst } from 'vitest/node'

const root = resolve(import.meta.dirname, '../..')

/** A regular expression of the source, and where it stands. `source` is undefined for one that is only known when it runs. */
export type Pattern = { file: string; text: string; source: string | undefined; flags: string }

type Node = Record<string, unknown> & { type: string; start: number; end: number }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Yields every node of a syntax tree. */
function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each)
  else if (isNode(value)) {
    yield value
    for (const child of Object.values(value)) yield* nodesOf(child)
  }
}

const nameOf = (node: unknown) => (isNode(node) && node.type === 'Identifier' ? String(node.name) : '')

/** The text that an expression stands for, where it is made of literals and of constants of its file. */
function textOf(node: unknown, constants: ReadonlyMap<string, unknown>): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'Identifier') return textOf(constants.get(nameOf(node)), constants)
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis) || !Array.isArray(node.expressions))
    return undefined
  const between = node.expressions.map((each) => textOf(each, constants))
  if (between.includes(undefined)) return undefined
  return node.quasis.map((quasi, i) => `${quasi.value.cooked}${between[i] ?? ''}`).join('')
}

/** Methods of a string that make a pattern of a text they are given. */
const MAKERS = new Set(['match', 'matchAll', 'search'])

/** Returns every pattern of a source file: literals, and what is built from text. */
export function patternsIn(file: string, code = readFileSync(join(root, file), 'utf8')): Pattern[] {
  const nodes = [...nodesOf(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body)]
  const constants = new Map(
    nodes.filter(({ type }) => type === 'VariableDeclarator').map(({ id, init }) => [nameOf(id), init]),
  )
  return nodes.flatMap((node): Pattern[] => {
    const text = code.slice(node.start, node.end)
    if (isNode(node.regex) || (node.type === 'Literal' && node.regex)) {
      const { pattern, flags } = Object(node.regex)
      return [{ file, text, source: pattern, flags }]
    }
    const [made, flags] = Array.isArray(node.arguments) ? node.arguments : []
    const isBuilt = nameOf(node.callee) === 'RegExp'
    const method = isNode(node.callee) && node.callee.type === 'MemberExpression' ? nameOf(node.callee.property) : ''
    const source = textOf(made, constants)
    if (!isBuilt && !(MAKERS.has(method) && source !== undefined && !isNode(node.regex))) return []
    return [{ file, text, source, flags: textOf(flags, constants) ?? '' }]
  })
}

/** The marks without which a pattern reads a bounded number of characters from each place. */
const REPEATS = /[*+{]/

/** The number of patterns checked at once. */
const AT_ONCE = 2

/**
 * Checks patterns, and returns what is said of those whose time may grow faster than the text. The checker reads most of them as automata, which is exact;
 * the others, with assertions or back references, it tries with texts it derives, with a fixed seed. Its limits in time are off, so that a
 * busy machine changes nothing, but the last: a pattern that cannot be told within it counts as slow.
 */
export async function slowAmong(patterns: readonly Pattern[]): Promise<string[]> {
  const distinct = new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]))
  const waiting = [...distinct].filter(([, { source }]) => source !== undefined && REPEATS.test(source))
  const slow: string[] = []
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [written, { file, source = '', flags }] = next
      const said = await check(source, flags, {
        timeout: 120_000,
        attackTimeout: null,
        incubationTimeout: null,
      })
      if (said.status === 'vulnerable')
        slow.push(`${file}: ${written} is ${said.complexity.summary}, with ${said.attack.pattern}`)
      if (said.status === 'unknown') slow.push(`${file}: ${written} cannot be told: ${said.error.kind}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return slow
}
