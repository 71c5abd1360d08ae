import type { KeyActor } from '@/lib/auth/actor'
import { MissingScope } from '@/lib/auth/require-scope'
import { cleanAnswer, isCleanJson } from '@/lib/core/clean'
import { ERRORS, type FieldFault, isOurs, type ServiceError, toServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { nearestTo } from '@/lib/core/nearest'
import { consumeLimit } from '@/lib/limits/limiter'
import { POLICIES } from '@/lib/limits/policies'
import type { Verdict } from '@/lib/limits/window'
import { execute } from '@/lib/operations/execute'
import { RPC, RpcFault } from './fault'
import { type Reading, readArguments } from './read-arguments'
import { MOST_CHARACTERS, type Shortened, shorten } from './shorten'
import { withNextPage } from './skip-pages'
import { safeName } from './tool-names'
import { type Tool, tools } from './tools'
import { untrustedMeta, untrustedNote } from './untrusted'

/** A tool's result as MCP has it: text for the model, the same as data for programs. */
export type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
  _meta?: Record<string, unknown>
}

/** The tool of a name, its own or the one for clients that refuse dots. */
export const findTool = (name: unknown): Tool | undefined =>
  tools.find((tool) => tool.name === name || safeName(tool.name) === name)

/** The tool of a call. @throws RpcFault -32602 when there is none of that name */
export function requireTool(name: unknown): Tool {
  const tool = findTool(name)
  if (tool) return tool
  const nearest = nearestTo(
    String(name),
    tools.map((each) => each.name),
  )
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  throw new RpcFault(200, RPC.invalidParams, 'Unknown tool', {
    data: {
      reason: `There is no tool ${JSON.stringify(name)?.slice(0, 100)}.${meant} tools/list names those there are.`,
    },
  })
}

/** A key without the scope of a tool is not for the model to fix: 403, as an error of the protocol. */
export const forbidden = ({ message, headers }: MissingScope): RpcFault =>
  new RpcFault(403, RPC.forbidden, 'Forbidden', { data: { reason: message }, ...(headers ? { headers } : {}) })

const MIDNIGHT = /"(\d{4}-\d\d-\d\d)T00:00:00\.000Z"/g

/** An answer whose days are days: the database keeps one as its midnight UTC, which costs a model twice as much and misleads it. */
const withDays = (json: string): string => json.replace(MIDNIGHT, '"$1"')

/** An answer cleaned and cut; most need neither and leave as the text the database wrote, amounts with all their digits. */
const presented = (json: string): Pick<Shortened, 'text' | 'hint'> =>
  json.length <= MOST_CHARACTERS && isCleanJson(json) ? { text: json } : shorten(cleanAnswer(JSON.parse(json)))

const newReading = (): Reading => ({ notes: [], isUntrusted: false, skip: 0 })

/** The answer with notes on how the arguments were read, which stand first, so that no reader misses them. */
const withNotes = (json: string, { notes }: Reading): string =>
  notes.length === 0 ? json : `{"argumentNotes":${JSON.stringify(notes)},${json.slice(1)}`

/** An answer as it leaves: strangers' text clean and marked, no longer than a model can take, the same as text and as data. */
function resultOf(tool: Tool, json: string, reading: Reading): ToolResult {
  const untrusted = reading.isUntrusted ? ['argumentNotes', ...tool.untrusted] : tool.untrusted
  const whole = tool.pages === undefined ? json : withNextPage(json, tool.pages, reading.skip)
  const { text, hint } = presented(withNotes(withDays(whole), reading))
  const beside = tool.oneText ? [] : [hint, untrustedNote(untrusted)]
  const texts = [text, ...beside].filter((part) => part !== undefined)
  const meta = untrustedMeta(untrusted)
  return {
    content: texts.map((part) => ({ type: 'text', text: part })),
    // Most answers leave as text, and nobody asks for this.
    get structuredContent() {
      return JSON.parse(text)
    },
    ...(meta ? { _meta: meta } : {}),
  }
}

/** Operations with a limit of their own by key count here too; one by contractor was counted at the gate, one by address has no meaning for an agent. */
async function countOwn({ operation }: Tool, actor: KeyActor): Promise<Verdict | undefined> {
  if (!operation.limit || POLICIES[operation.limit].per !== 'key') return undefined
  return consumeLimit(operation.limit, operation.limit, actor.keyId)
}

/** Receives an error that leaves inside an answer, for the request log: its code, its HTTP status where that is not 200, and its message. */
export type Failed = (
  code: string,
  status?: number,
  told?: { message?: string; fields?: FieldFault[] | undefined; headers?: Record<string, string> | undefined },
) => void

/**
 * Runs a tool's operation and presents its answer.
 * @throws RpcFault 403 without the tool's scope, ServiceError for everything else
 */
export async function answerOf(
  tool: Tool,
  actor: KeyActor,
  args: unknown,
  reading = newReading(),
): Promise<ToolResult> {
  const ctx = { actor, now: new Date() }
  const caller = { ...ctx, counted: countOwn(tool, actor) }
  try {
    const { text } = await execute(tool.operation, caller, () => readArguments(tool, ctx, args, reading), 'text')
    return resultOf(tool, text, reading)
  } catch (error) {
    if (error instanceof MissingScope && error.neededBy === 'operation') throw forbidden(error)
    throw error
  }
}

/** The result of a call that the model can fix: what is wrong, in which arguments, how they were read, and for how long to wait. */
export function fixable(
  { code, message, fields, headers }: ServiceError,
  failed: Failed | undefined,
  { notes }: Pick<Reading, 'notes'> = newReading(),
): ToolResult {
  failed?.(code, undefined, { message, fields, headers })
  const seconds = Number(headers?.['retry-after'])
  const error = {
    error: message,
    code,
    ...(fields ? { fields } : {}),
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
    ...(notes.length > 0 ? { argumentNotes: notes } : {}),
  }
  return { content: [{ type: 'text', text: JSON.stringify(error) }], isError: true }
}

/**
 * Calls a tool. What the model can fix (arguments, an id that is not there) or wait for (a limit, an overload) is a result with `isError`;
 * what it cannot is an error of the protocol.
 */
export async function callTool(
  tool: Tool,
  actor: KeyActor,
  args: unknown,
  { failed, requestId }: { failed?: Failed | undefined; requestId?: string } = {},
): Promise<ToolResult> {
  const reading = newReading()
  try {
    return await answerOf(tool, actor, args, reading)
  } catch (thrown) {
    const error = toServiceError(thrown)
    if (ERRORS[error.code].agent === 'fault') throw thrown
    if (isOurs(error)) logFault({ requestId, operation: tool.name }, thrown)
    return fixable(error, failed, reading)
  }
}
