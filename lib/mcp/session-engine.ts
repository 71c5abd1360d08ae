import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isJSONRPCRequest, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { z } from 'zod'
import type { Caller } from './caller'
import type { Message } from './gate'
import { METHODS } from './methods'
import { protocolErrorOf } from './rpc-error'
import { CAPABILITIES, instructions, SERVER_INFO } from './server-info'

/**
 * Shared, because the SDK would otherwise create one per server, which costs more than everything else. We never ask a client for
 * input.
 */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

/** The SDK finds a handler by the literal in its schema; the method's own schema has already checked the parameters. */
const registered = METHODS.map(({ name, handle }) => ({
  request: z.looseObject({ method: z.literal(name), params: z.looseObject({}).optional() }),
  handle,
}))

function serverFor(caller: Caller): Server {
  const server = new Server(SERVER_INFO, {
    capabilities: CAPABILITIES,
    instructions: instructions(),
    jsonSchemaValidator,
  })
  for (const { request, handle } of registered)
    server.setRequestHandler(request, async ({ params = {} }) => {
      try {
        return (await handle(caller, params)) as Record<string, unknown>
      } catch (thrown) {
        throw protocolErrorOf(thrown, 'sessions', caller)
      }
    })
  return server
}

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

/**
 * Answers one message in session mode (protocol 2024-11-05 to 2025-11-25) with the SDK. Server and transport live for this message only:
 * nothing of a session is in this process, so any instance can answer. Session and protocol version are checked before.
 */
export async function answerInSession(message: Message, caller: Caller): Promise<EngineAnswer> {
  const parsed = JSONRPCMessageSchema.safeParse(message)
  if (!parsed.success) return { status: 400, text: INVALID_MESSAGE }
  const { transport, answered } = oneMessage()
  // Neither is closed: they hold no timer or socket, and closing would only cause errors for requests that do not exist.
  await serverFor(caller).connect(transport)
  transport.onmessage?.(parsed.data)
  if (!isJSONRPCRequest(parsed.data)) return { status: 202, text: null }
  return { status: 200, text: JSON.stringify(await answered) }
}
