import type { KeyActor } from '@/lib/auth/actor'
import { MissingScope } from '@/lib/auth/require-scope'
import { cleanAnswer, isCleanJson } from '@/lib/core/clean'
import { ERRORS, type FieldFault, ServiceError } from '@/lib/core/errors'
import { withoutNullsWithin } from '@/lib/core/json'
import { type Later, takeLimit } from '@/lib/limits/limiter'
import { POLICIES } from '@/lib/limits/policies'
import type { Verdict } from '@/lib/limits/window'
import { execute } from '@/lib/operations/execute'
import { RPC, RpcFault } from './fault'
import { MOST_CHARACTERS, type Shortened, shorten } from './shorten'
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
  throw new RpcFault(200, RPC.invalidParams, 'Unknown tool', {
    data: { reason: `There is no tool ${JSON.stringify(name)?.slice(0, 100)}. tools/list names those there are.` },
  })
}

/** A key without the scope of a tool is not for the model to fix: 403, as an error of the protocol. */
export const forbidden = ({ message, headers }: MissingScope): RpcFault =>
  new RpcFault(403, RPC.forbidden, 'Forbidden', { data: { reason: message }, ...(headers ? { headers } : {}) })

const fixable = (error: Record<string, unknown>): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(error) }],
  isError: true,
})

/** An answer cleaned and cut; most need neither and leave as the text the database wrote, amounts with all their digits. */
const presented = (json: string): Pick<Shortened, 'text' | 'hint'> =>
  json.length <= MOST_CHARACTERS && isCleanJson(json) ? { text: json } : shorten(cleanAnswer(JSON.parse(json)))

/** An answer as it leaves: strangers' text clean and marked, no longer than a model can take, the same as text and as data. */
function resultOf({ untrusted }: Tool, json: string): ToolResult {
  const { text, hint } = presented(json)
  const texts = [text, hint, untrustedNote(untrusted)].filter((part) => part !== undefined)
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
function countOwn({ operation }: Tool, actor: KeyActor): Later<Verdict> | undefined {
  if (!operation.limit || POLICIES[operation.limit].per !== 'key') return undefined
  return takeLimit(operation.limit, operation.limit, actor.keyId)
}

/** Told of an error that leaves inside an answer, for the request log: its code, its HTTP status where that is not 200, what it says. */
export type Failed = (
  code: string,
  status?: number,
  told?: { message?: string; fields?: FieldFault[] | undefined; headers?: Record<string, string> | undefined },
) => void

/**
 * Runs a tool's operation and presents its answer.
 * @throws RpcFault 403 without the tool's scope, ServiceError for everything else
 */
export async function answerOf(tool: Tool, actor: KeyActor, args: unknown): Promise<ToolResult> {
  // Models write null for what they leave out, within an assembly as at the top.
  const values = withoutNullsWithin(args ?? {})
  const caller = { actor, now: new Date(), counted: countOwn(tool, actor) }
  try {
    const { text } = await execute(
      tool.operation,
      caller,
      () => ({ values, schema: tool.input, whole: 'arguments' }),
      'text',
    )
    return resultOf(tool, text)
  } catch (error) {
    if (error instanceof MissingScope && error.neededBy === 'operation') throw forbidden(error)
    throw error
  }
}

/**
 * Calls a tool. What the model can fix (arguments, an id that is not there, a limit) is a result with `isError`; what it cannot is
 * an error of the protocol.
 */
export async function callTool(tool: Tool, actor: KeyActor, args: unknown, failed?: Failed): Promise<ToolResult> {
  try {
    return await answerOf(tool, actor, args)
  } catch (error) {
    if (!(error instanceof ServiceError) || ERRORS[error.code].agent === 'fault') throw error
    failed?.(error.code, undefined, { message: error.message, fields: error.fields })
    return fixable({ error: error.message, code: error.code, ...(error.fields ? { fields: error.fields } : {}) })
  }
}
