import type { Agent, Called, ListedTool } from '../books'
import type { Shelf } from './match'
import { finder, lister, type Plan } from './plan'
import type { Understood } from './understand'
import { listsIn } from './values'

/** Calls that a question may cost. */
export const MOST_CALLS = 3

export type Call = { name: string; args: Record<string, unknown>; result: Called }

/** Tokens of calls with their answers, at four characters a token as everywhere in this project. */
export const tokensOf = (calls: readonly Call[]): number =>
  Math.ceil(
    calls.reduce(
      (sum, { name, args, result }) => sum + JSON.stringify({ name, arguments: args }).length + result.text.length,
      0,
    ) / 4,
  )

/** Puts calls to an agent, the same one only once: a search tries many plans that begin alike. */
export function asking(agent: Agent): (tool: ListedTool, args: Record<string, unknown>) => Promise<Call> {
  const known = new Map<string, Promise<Called>>()
  return async ({ name, readOnly }, args) => {
    const key = JSON.stringify([name, args])
    const asked = (readOnly ? known.get(key) : undefined) ?? agent.call(name, args)
    known.set(key, asked)
    return { name, args, result: await asked }
  }
}
export type Ask = ReturnType<typeof asking>

type Found = { id: string; kind: string }

/** Hits of a search with their kinds. */
const hitsOf = (data: unknown): Found[] =>
  listsIn(data).flatMap(({ rows }) =>
    rows.flatMap(({ id, type }) =>
      typeof id === 'string' ? [{ id, kind: typeof type === 'string' ? type : '' }] : [],
    ),
  )

/** Finds the ids a plan needs by the name in the question, in one call, or two where the name is that of a record it belongs to. */
async function resolve(
  shelf: Shelf,
  ask: Ask,
  plan: Plan,
  entity: string,
): Promise<{ calls: Call[]; ids: Record<string, string> }> {
  const by = finder(shelf)
  if (!by) return { calls: [], ids: {} }
  const calls = [await ask(by.tool, { [by.argument]: entity })]
  const hits = hitsOf(calls[0]?.result.data)
  const ids: Record<string, string> = {}
  // A tool that takes ids of several kinds gets the narrowest that is known.
  const wanted = [...plan.wanted].sort(([a]) => (plan.tool.inputSchema.required?.includes(a) ? -1 : 1))
  for (const [argument, kind] of wanted) {
    const hit = hits.find((one) => kind === '' || one.kind === kind)
    if (hit) {
      ids[argument] = hit.id
      return { calls, ids }
    }
    const [owner] = hits
    const next =
      owner && plan.tool.inputSchema.required?.includes(argument) ? lister(shelf, kind, owner.kind) : undefined
    if (!owner || !next) continue
    calls.push(await ask(next.tool, { [next.argument]: owner.id }))
    const [row] = listsIn(calls.at(-1)?.result.data).flatMap(({ rows }) =>
      rows.filter(({ id }) => typeof id === 'string'),
    )
    if (typeof row?.id === 'string') ids[argument] = row.id
    return { calls, ids }
  }
  return { calls, ids }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Joins two pages of one list: lists one behind the other, everything else as the first page says it. */
function joined(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second]
  if (!isObject(first) || !isObject(second)) return first
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => [name, Array.isArray(value) ? joined(value, second[name]) : value]),
  )
}

/** The token of the page after, and the argument that takes it. */
function nextPage(tool: ListedTool, data: unknown): [argument: string, token: string] | undefined {
  const argument = Object.keys(tool.inputSchema.properties ?? {}).find((name) => /token$/i.test(name))
  const token = isObject(data)
    ? Object.entries(data).find(([name, value]) => /^next/.test(name) && typeof value === 'string')?.[1]
    : undefined
  return argument !== undefined && typeof token === 'string' ? [argument, token] : undefined
}

/** The outcome of a plan: its calls, and their answer as one. Undefined data: it came to nothing. */
export type Outcome = { calls: Call[]; data: unknown; text: string }

/** Carries out a plan: finds ids, calls, and goes on to further pages while a whole list is wanted. */
export async function carryOut(shelf: Shelf, ask: Ask, plan: Plan, question: Understood): Promise<Outcome> {
  // What is written new needs no record that is there; whatever is read by a name does.
  const needed = [...plan.wanted.keys()].some(
    (name) => question.form.kind !== 'change' || plan.tool.inputSchema.required?.includes(name),
  )
  const { calls, ids } =
    needed && question.entity !== undefined ? await resolve(shelf, ask, plan, question.entity) : { calls: [], ids: {} }
  if (needed && Object.keys(ids).length === 0) return { calls, data: undefined, text: '' }
  const args = { ...plan.args, ...ids }
  const call = await ask(plan.tool, args)
  calls.push(call)
  if (call.result.isError) return { calls, data: undefined, text: call.result.text }
  let { data, text } = call.result
  const needsAll = question.form.kind === 'list' && !(plan.taken.has('order') && question.top !== undefined)
  for (let next = nextPage(plan.tool, data); needsAll && next && calls.length < MOST_CALLS; ) {
    const more = await ask(plan.tool, { ...args, [next[0]]: next[1] })
    calls.push(more)
    data = joined(data, more.result.data)
    text += more.result.text
    next = nextPage(plan.tool, more.result.data)
  }
  return { calls, data, text }
}
