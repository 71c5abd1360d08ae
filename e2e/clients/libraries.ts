// Libraries that hand a server's tools to a model (exercise.ts). The frameworks, which take most of the installation, are in their own
// folder: `npm run test:clients`.
import { createMCPClient } from '@ai-sdk/mcp'
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp'
import { mcpToTool } from '@google/genai'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { MCPServerStreamableHttp, mcpToFunctionTool } from '@openai/agents-core'
import { asSchema } from 'ai'
import { exercise, type Library, text } from './exercise'
import { headers, url } from './tour'

async function connected() {
  const client = new Client({ name: 'acceptance', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return client
}

async function aiSdk(): Promise<Library> {
  const client = await createMCPClient({ transport: { type: 'http', url, headers } })
  const tools = await client.tools()
  const converted = await Promise.all(
    Object.entries(tools).map(async ([name, tool]) => ({ name, schema: await asSchema(tool.inputSchema).jsonSchema })),
  )
  return {
    converted,
    call: async (call) =>
      text(await tools[call.name]?.execute(call.arguments, { toolCallId: '1', messages: [], context: {} })),
    close: () => client.close(),
  }
}

async function anthropic(): Promise<Library> {
  const client = await connected()
  const { tools: listed } = await client.listTools()
  const tools = mcpTools(listed, {
    callTool: async (call) => CallToolResultSchema.parse(await client.callTool(call)),
  })
  return {
    converted: tools.map((tool) => ({
      name: tool.name,
      schema: 'input_schema' in tool ? tool.input_schema : undefined,
    })),
    call: async (call) => text(await tools.find(({ name }) => name === call.name)?.run(call.arguments)),
    close: () => client.close(),
  }
}

async function gemini(): Promise<Library> {
  const client = await connected()
  const callable = mcpToTool(client, {})
  const { functionDeclarations = [] } = await callable.tool()
  return {
    converted: functionDeclarations.map(({ name = '', parametersJsonSchema, parameters }) => ({
      name,
      schema: parametersJsonSchema ?? parameters,
    })),
    call: async (call) => text(await callable.callTool([{ name: call.name, args: call.arguments }])),
    close: () => client.close(),
  }
}

async function langChain(): Promise<Library> {
  const client = new MultiServerMCPClient({ mcpServers: { plumbline: { transport: 'http', url, headers } } })
  const tools = await client.getTools()
  return {
    converted: tools.map((tool) => {
      const { name, parameters } = convertToOpenAITool(tool).function
      return { name, schema: parameters }
    }),
    call: async (call) => text(await tools.find(({ name }) => name === call.name)?.invoke(call.arguments)),
    close: () => client.close(),
  }
}

async function openAiAgents(): Promise<Library> {
  const server = new MCPServerStreamableHttp({ url, name: 'plumbline', requestInit: { headers } })
  await server.connect()
  const tools = (await server.listTools()).map((tool) => mcpToFunctionTool(tool, server, true))
  return {
    converted: tools.map(({ name, parameters, strict }) => ({ name, schema: parameters, strict })),
    call: async (call) => text(await server.callToolResult(call.name, call.arguments)),
    close: () => server.close(),
  }
}

await exercise({ aiSdk, anthropic, gemini, langChain, openAiAgents })
