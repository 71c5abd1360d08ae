// Frameworks for agents, as in libraries.ts.
import { noopObserve } from '@mastra/core/tools'
import { MCPClient as MastraClient } from '@mastra/mcp'
import { MCPClient as McpUseClient } from 'mcp-use/client'
import { exercise, type Library, text } from '../exercise'
import { headers, url } from '../tour'

async function mastra(): Promise<Library> {
  const client = new MastraClient({
    id: 'acceptance',
    servers: { plumbline: { url: new URL(url), requestInit: { headers } } },
  })
  const { plumbline: tools = {} } = await client.listToolsets()
  return {
    converted: Object.entries(tools).map(([name, { inputSchema }]) => ({
      name,
      schema: inputSchema?.['~standard'].jsonSchema.input({ target: 'draft-07' }),
    })),
    call: async (call) => text(await tools[call.name]?.execute?.(call.arguments, { observe: noopObserve })),
    close: () => client.disconnect(),
  }
}

async function mcpUse(): Promise<Library> {
  const client = new McpUseClient({ mcpServers: { plumbline: { url, headers } } })
  const session = await client.createSession('plumbline')
  return {
    converted: session.tools.map(({ name, inputSchema }) => ({ name, schema: inputSchema })),
    call: async (call) => text(await session.callTool(call.name, call.arguments)),
    close: () => client.closeAllSessions(),
  }
}

await exercise({ mastra, mcpUse })
