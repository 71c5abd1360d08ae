import type { ServiceRequest } from '@/lib/http/request'

/** How tools are called to a client: by their own names, or with nothing but letters, digits, `_` and `-`. */
export type ToolNames = 'own' | 'safe'

/**
 * Clients whose models' interface refuses a dot in a tool's name, though MCP allows it (2025-11-25, tool names), and who drop the
 * whole list for one: seen in reports of their users (openai/codex#8174, github/copilot-cli#1879, barryw/ImmichMCP#4).
 */
const REFUSES_DOTS = /claude|anthropic|codex|openai|chatgpt|copilot/i

/** A tool's name as every client takes it. */
export const safeName = (name: string): string => name.replaceAll('.', '_')

/** Under which names a request is shown tools: as its URL asks (`?toolNames=safe`), or as its client is known to need. */
export function toolNamesFor({ url }: Pick<ServiceRequest, 'url'>, clientName: string | null): ToolNames {
  const asked = new URL(url, 'http://localhost').searchParams.get('toolNames')
  if (asked === 'safe' || asked === 'own') return asked
  return clientName !== null && REFUSES_DOTS.test(clientName) ? 'safe' : 'own'
}

/** The name a client of the stateless revision gives itself in a message's metadata. */
export function clientNameIn(params: unknown): string | null {
  const client = Object(Object(Object(params)._meta)['io.modelcontextprotocol/clientInfo'])
  return typeof client.name === 'string' ? client.name : null
}
