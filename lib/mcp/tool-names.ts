import type { ServiceRequest } from '@/lib/http/request'

/** The names that a client is shown: the tools' own, or names of letters, digits, `_` and `-` alone. */
export type ToolNames = 'own' | 'safe'

/**
 * Clients that pass a tool's name on as it is, to a person or a program and not to a model: the inspector's and our own console.
 * MCP allows a dot in a name (2025-11-25, tool names), but OpenAI's and Anthropic's APIs refuse a whole list of tools for one, so
 * every client that is not known is shown names that all of them take.
 */
const TAKES_DOTS = /^(plumbline-console|(mcp-)?inspector(-client)?)\b/i

/** A tool's name as every client takes it. */
export const safeName = (name: string): string => name.replaceAll('.', '_')

/**
 * Returns which names a request is shown: those its URL asks for (`?toolNames=own` or `safe`), otherwise those its client is known to take.
 * A client that gives no name, such as a program that posts to `/mcp/rpc`, is shown the tools' own names, as the specification has them.
 */
export function toolNamesFor({ url }: Pick<ServiceRequest, 'url'>, clientName: string | null): ToolNames {
  const asked = new URL(url, 'http://localhost').searchParams.get('toolNames')
  if (asked === 'safe' || asked === 'own') return asked
  return clientName === null || TAKES_DOTS.test(clientName) ? 'own' : 'safe'
}

/** The name a client of the stateless revision gives itself in a message's metadata. */
export function clientNameIn(params: unknown): string | null {
  const client = Object(Object(Object(params)._meta)['io.modelcontextprotocol/clientInfo'])
  return typeof client.name === 'string' ? client.name : null
}
