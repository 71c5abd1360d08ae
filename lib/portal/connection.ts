import type { Recorder } from './exchange'
import type { JsonObject } from './json'

/** The two protocol modes: sessions (2025-11-25 and older), or stateless requests (2026-07-28). */
export type ProtocolMode = 'sessions' | 'stateless'

/** The protocol version stateless mode is pinned to. */
export const STATELESS_VERSION = '2026-07-28'

/** The client name and version that the console sends to the server. */
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

/** A tool's result: one text per content block; other blocks as JSON. */
export type ToolResult = { texts: string[]; structured: unknown; isError: boolean }

/** The facts that the server reported about itself when the client connected. */
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
  /** Ends the session, if there is one. */
  close(): Promise<void>
}

/** The URL to connect to, the key (empty for a person who signed in), and what records the exchanges. */
export type Target = { url: string; key: string; recorder: Recorder }

/** A tool as both clients list it, in the protocol's shape. */
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

/** Returns a tool with all hints; a missing hint gets the protocol's default, which is the safe one. */
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
      // A tool that only reads says nothing of repeated calls: the protocol gives the hint no meaning there.
      idempotent: annotations?.idempotentHint ?? annotations?.readOnlyHint ?? false,
      openWorld: annotations?.openWorldHint ?? true,
    },
  }
}

/** Converts a result from the protocol's shape to the console's. */
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
