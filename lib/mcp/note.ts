import type { Answer } from '@/lib/http/answer'
import type { Failed } from './call-tool'
import { CANCELLED } from './cancel'
import type { Message } from './gate'
import { LISTEN, METHODS } from './methods'
import type { Tool } from './tools'

/** The methods that the engines answer by themselves, beside our own. */
const OF_ENGINES = ['initialize', 'notifications/initialized', CANCELLED, 'ping', 'server/discover', LISTEN]

/** The methods that are logged by their own names; anything else a client may write there is `other`. */
const KNOWN: ReadonlySet<string> = new Set([...OF_ENGINES, ...METHODS.map(({ name }) => name)])

/** Tells the request log what a message asks for: a tool by its operation, so that it stands beside the same one over HTTP. */
export function noteMessage(answer: Answer, { method = 'answer', id }: Message, tool: Tool | undefined): void {
  const isKnown = KNOWN.has(method)
  answer.mcpMethod = isKnown ? method : 'other'
  // What nobody of ours handles the SDK refuses by itself.
  if (!isKnown && id !== undefined) answer.failed('method_not_found', 'There is no such method.')
  answer.endpoint = tool?.name ?? answer.mcpMethod
}

/** Notes an error inside an answer: its code for the request log, its status for the reply. */
export const failedOf =
  (answer: Answer): Failed =>
  (code, status, { message, fields, headers } = {}) => {
    answer.failed(code, message, fields)
    if (headers) answer.add(headers)
    answer.faultStatus = status
  }
