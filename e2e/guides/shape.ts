import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** Returns the shape of a value: names and types, and for a list its first element's shape. Null matches anything. */
export function shapeOf(value: unknown): unknown {
  if (value === null) return 'anything'
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}

/** Returns all texts in a configuration, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Returns the URL and header a configuration uses, with each program's placeholder replaced by a key. */
export function connectionIn(configuration: unknown, key: string): { url: string; header: string } {
  const filled = JSON.parse(
    JSON.stringify(configuration).replace(/\$\{(env:|input:)?(PLUMBLINE_KEY|plumbline-key)\}/g, key),
  )
  const servers = filled.mcpServers ?? filled.servers ?? filled
  const texts = textsIn(servers)
  const [, inline] = texts.map((text) => /^X-API-Key:\s*(\S+)$/.exec(text)).find(Boolean) ?? []
  return {
    url: texts.find((text) => /^https?:/.test(text)) ?? '',
    header: inline ?? servers.plumbline?.headers?.['X-API-Key'] ?? '',
  }
}

/** Returns the tools that a client with this connection sees. */
export async function toolsAt({ url, header }: { url: string; header: string }): Promise<string[]> {
  const client = new Client({ name: 'guides', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { 'X-API-Key': header } },
  })
  await client.connect(transport)
  const { tools } = await client.listTools()
  await transport.terminateSession()
  await client.close()
  return tools.map(({ name }) => name)
}
