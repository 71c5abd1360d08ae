import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { CLIENT, type Connection, type ListedTool, listedTool, type Target, toolResult } from './connection'

/** Replaces the SDK's validator, which compiles schemas into code: the page's policy forbids that, and the console validates nothing. */
const unused = {
  getValidator(): never {
    throw new Error('The console does not validate responses.')
  },
}

async function listAll(client: Client): Promise<ListedTool[]> {
  const tools: ListedTool[] = []
  let cursor: string | undefined
  do {
    const page = await client.request({ method: 'tools/list', params: cursor ? { cursor } : {} }, ListToolsResultSchema)
    tools.push(...page.tools.map(listedTool))
    cursor = page.nextCursor
  } while (cursor)
  return tools
}

/** Opens a session with `initialize`, and lists the tools. */
export async function connectSessions({ url, key, recorder }: Target): Promise<Connection> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: key ? { 'X-API-Key': key } : {} },
    fetch: recorder.fetch,
  })
  const client = new Client(CLIENT, { jsonSchemaValidator: unused })
  await client.connect(transport)
  const server = client.getServerVersion()
  return {
    mode: 'sessions',
    facts: {
      name: server?.title ?? server?.name ?? 'unnamed',
      version: server?.version ?? '',
      protocol: transport.protocolVersion ?? '',
      sessionId: transport.sessionId,
      instructions: client.getInstructions(),
    },
    tools: await listAll(client),
    call: async (name, args) =>
      toolResult(
        await client.request({ method: 'tools/call', params: { name, arguments: args } }, CallToolResultSchema),
      ),
    close: async () => {
      await transport.terminateSession().catch(() => undefined)
      await client.close()
    },
  }
}
