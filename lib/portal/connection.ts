import type { Recorder } from './exchange'
import type { JsonObject } from './json'

/** The two ways a client speaks with the server: sessions (2025-11-25 and older), or each request on its own (2026-07-28). */
export type ProtocolMode = 'sessions' | 'stateless'

/** The protocol version stateless mode is pinned to. */
export const STATELESS_VERSION = '2026-07-28'

/** What the console calls itself toward the server. */
export const CLIENT = { name: 'plumbline-console', version: '1.0.0' }

/** A tool as the server lists it. */
export type ListedTool = {
  name: string
  title: string
  description: string
  inputSchema: JsonObject
  outputSchema: JsonObject | undefined
  hints: { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean }
}

/** A tool's result; a text for each block of content, other blocks as their JSON. */
export type ToolResult = { texts: string[]; structured: unknown; isError: boolean }

/** What the server said of itself when the connection was made. */
export type ServerFacts = {
  name: string
  version: string
  protocol: string
  sessionId: string | undefined
  instructions: string | undefined
}

/** An open connection in either protocol mode. */
export type Connection = {
  mode: ProtocolMode
  facts: ServerFacts
  tools: ListedTool[]
  call(tool: string, args: JsonObject): Promise<ToolResult>
  /** Ends the session where there is one. */
  close(): Promise<void>
}

/** Where to connect, with which key, and what records the exchanges. */
export type Target = { url: string; key: string; recorder: Recorder }

/** The lists of tools as either client gives them, in the protocol's own shape. */
type ProtocolTool = {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema: object
  outputSchema?: object | undefined
  annotations?:
    | {
        title?: string | undefined
        readOnlyHint?: boolean | undefined
        destructiveHint?: boolean | undefined
        idempotentHint?: boolean | undefined
        openWorldHint?: boolean | undefined
      }
    | undefined
}

/** A tool with every hint said: what is left out has the protocol's default, which is the careful one. */
export function listedTool({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: ProtocolTool): ListedTool {
  return {
    name,
    title: title ?? annotations?.title ?? name,
    description: description ?? '',
    inputSchema: { ...inputSchema },
    outputSchema: outputSchema && { ...outputSchema },
    hints: {
      readOnly: annotations?.readOnlyHint ?? false,
      destructive: annotations?.destructiveHint ?? true,
      idempotent: annotations?.idempotentHint ?? false,
      openWorld: annotations?.openWorldHint ?? true,
    },
  }
}

/** A result in the protocol's shape as the console shows it. */
export function toolResult(result: {
  content?: { type: string; text?: unknown }[] | undefined
  structuredContent?: unknown
  isError?: boolean | undefined
}): ToolResult {
  const texts = (result.content ?? []).map((block) =>
    block.type === 'text' && typeof block.text === 'string' ? block.text : JSON.stringify(block, null, 2),
  )
  return { texts, structured: result.structuredContent, isError: result.isError === true }
}
