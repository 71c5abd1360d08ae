import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { KeyActor } from '@/lib/auth/actor'
import type { Failed } from './call-tool'
import type { Message } from './gate'
import {
  CAPABILITIES,
  getPrompt,
  instructions,
  listPrompts,
  listResources,
  listTools,
  protocolErrorOf,
  readResourceFor,
  runTool,
  SERVER_INFO,
} from './service'
import type { ToolNames } from './tool-names'

/** The SDK makes one for each server otherwise, which costs more than all the rest; we never ask a client for input. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

/** A handler whose errors are ours. */
const answering =
  <P, R>(failed: Failed | undefined, work: (params: P) => R | Promise<R>) =>
  async ({ params }: { params: P }): Promise<R> => {
    try {
      return await work(params)
    } catch (thrown) {
      throw protocolErrorOf(thrown, 'sessions', failed)
    }
  }

/** Who calls, under which names it is shown tools, and who is told when a call fails. */
export type Caller = { actor: KeyActor; names: ToolNames; failed?: Failed | undefined }

function serverFor({ actor, names, failed }: Caller): Server {
  const server = new Server(SERVER_INFO, {
    capabilities: CAPABILITIES,
    instructions: instructions(),
    jsonSchemaValidator,
  })
  server.setRequestHandler(ListToolsRequestSchema, () => listTools(actor, names))
  server.setRequestHandler(
    CallToolRequestSchema,
    answering(failed, (params) => runTool(actor, params, failed)),
  )
  server.setRequestHandler(ListResourcesRequestSchema, listResources)
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }))
  server.setRequestHandler(
    ReadResourceRequestSchema,
    answering(failed, (params) => readResourceFor(actor, params)),
  )
  server.setRequestHandler(ListPromptsRequestSchema, listPrompts)
  server.setRequestHandler(GetPromptRequestSchema, answering(failed, getPrompt))
  return server
}

/** What a session's message is answered with: 200 with JSON, or 202 with nothing for a notification. */
export type EngineAnswer = { status: number; text: string | null }

/**
 * Answers one message of the session era (2024-11-05 to 2025-11-25) by the SDK. Server and transport live for this message only:
 * nothing of a session is in this process, so any instance can answer. Session and protocol version are checked before.
 */
export async function answerInSession(
  message: Message,
  caller: Caller,
  protocolVersion?: string,
): Promise<EngineAnswer> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, keepAliveMs: 0 })
  // Neither is closed: they hold no timer and no socket, and closing would only make errors for requests that do not exist.
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
