import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { CLIENT, type Connection, listedTool, STATELESS_VERSION, type Target, toolResult } from './connection'

/** Calls `server/discover` at exactly the pinned revision, and lists the tools. It creates no session. */
export async function connectStateless({ url, key, recorder }: Target): Promise<Connection> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: key ? { 'X-API-Key': key } : {} },
    fetch: recorder.fetch,
  })
  const client = new Client(CLIENT, { versionNegotiation: { mode: { pin: STATELESS_VERSION } } })
  await client.connect(transport)
  const server = client.getServerVersion()
  const { tools } = await client.listTools()
  return {
    mode: 'stateless',
    facts: {
      name: server?.title ?? server?.name ?? 'unnamed',
      version: server?.version ?? '',
      protocol: client.getNegotiatedProtocolVersion() ?? '',
      sessionId: undefined,
      instructions: client.getInstructions(),
    },
    tools: tools.map(listedTool),
    call: async (name, args) => toolResult(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  }
}
