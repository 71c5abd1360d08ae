import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
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
 * Answers one message in session mode (protocol 2024-11-05 to 2025-11-25) with the SDK. Server and transport live for this message only:
 * nothing of a session is in this process, so any instance can answer. Session and protocol version are checked before.
 */
export async function answerInSession(
  message: Message,
  caller: Caller,
  protocolVersion?: string,
): Promise<EngineAnswer> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, keepAliveMs: 0 })
  // Neither is closed: they hold no timer or socket, and closing would only cause errors for requests that do not exist.
  await serverFor(caller).connect(transport)
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(protocolVersion === undefined ? {} : { 'mcp-protocol-version': protocolVersion }),
  }
  const response = await transport.handleRequest(new Request('http://localhost/mcp', { method: 'POST', headers }), {
    parsedBody: message,
  })
  const text = await response.text()
  return { status: response.status, text: text === '' ? null : text }
}
