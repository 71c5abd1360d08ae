import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isJSONRPCRequest, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import type { jsonSchemaValidator as Validator } from '@modelcontextprotocol/sdk/validation'
import type { Caller } from './caller'
import { type RpcId, rpcErrorText } from './fault'
import type { Message } from './gate'
import { findMethod, type Method } from './methods'
import { resultText } from './result-text'
import { toldError } from './rpc-error'
import { CAPABILITIES, instructions, officeText, SERVER_INFO } from './server-info'

/**
 * The SDK would otherwise make one per server, which costs more than everything else. It checks what a client's person filled in, and this
 * server asks nobody: questions are ours (lib/mcp/questions.ts).
 */
const jsonSchemaValidator: Validator = {
  getValidator() {
    throw new Error('the SDK asked a client for input')
  },
}

/** Creates the server for what is the protocol's and not ours: `initialize`, `ping`, notifications, and the answer to an unknown method. */
const serverOfProtocol = (told: string): Server =>
  new Server(SERVER_INFO, { capabilities: CAPABILITIES, instructions: told, jsonSchemaValidator })

/** The response to a message: 200 with JSON, or 202 without a body for a notification; `type` where it is not JSON. */
export type EngineAnswer = { status: number; text: string | null; type?: string }

/**
 * A transport for one message, which keeps the answer. The SDK's own for HTTP wraps both in web objects and streams, a fifth of the cost of a
 * list of tools.
 */
function oneMessage(): { transport: Transport; answered: Promise<JSONRPCMessage> } {
  let keep = (_answer: JSONRPCMessage) => {}
  const answered = new Promise<JSONRPCMessage>((done) => {
    keep = done
  })
  const send = async (sent: JSONRPCMessage) => {
    if ('result' in sent || 'error' in sent) keep(sent)
  }
  return { transport: { start: async () => {}, send, close: async () => {} }, answered }
}

const INVALID_MESSAGE = JSON.stringify({
  jsonrpc: '2.0',
  error: { code: -32700, message: 'Parse error: Invalid JSON-RPC message' },
  id: null,
})

/** Answers a message with the SDK. Server and transport live for this message only. */
async function answerProtocol(message: Message, { actor }: Caller): Promise<EngineAnswer> {
  const parsed = JSONRPCMessageSchema.safeParse(message)
  if (!parsed.success) return { status: 400, text: INVALID_MESSAGE }
  const { transport, answered } = oneMessage()
  // Neither is closed: they hold no timer or socket, and closing would only cause errors for requests that do not exist.
  const office = message.method === 'initialize' ? await officeText(actor) : ''
  await serverOfProtocol(`${instructions()}\n${office}`).connect(transport)
  transport.onmessage?.(parsed.data)
  if (!isJSONRPCRequest(parsed.data)) return { status: 202, text: null }
  return { status: 200, text: JSON.stringify(await answered) }
}

/** Answers a request for one of our methods. The SDK's server would check what is already checked, and write each tool's data a second time. */
async function answerMethod({ handle }: Method, id: RpcId, params: unknown, caller: Caller): Promise<EngineAnswer> {
  try {
    return { status: 200, text: resultText(id, await handle(caller, params ?? {})) }
  } catch (thrown) {
    const { code, message, data } = toldError(thrown, 'sessions', caller)
    return { status: 200, text: rpcErrorText(id, code, message, data) }
  }
}

/**
 * Answers one message in session mode (protocol 2024-11-05 to 2025-11-25), whose parameters are checked. Nothing of a session is in this
 * process, so any instance can answer. Session and protocol version are checked before.
 */
export function answerInSession(message: Message, caller: Caller): Promise<EngineAnswer> {
  const method = findMethod(message.method)
  return method && message.id !== undefined
    ? answerMethod(method, message.id, message.params, caller)
    : answerProtocol(message, caller)
}
