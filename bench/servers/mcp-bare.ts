/** The SDK on `node:http` with one server and one session for all requests: no key, no limits, no session lookup. */
import { createServer } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { benchTools, toolAnswer } from './mcp-tools'

const answer = await toolAnswer()
const server = new McpServer({ name: 'bare', version: '1' })
for (const { name, title, description, annotations, input, output } of benchTools)
  server.registerTool(
    name,
    { title, description, annotations, inputSchema: input.shape, outputSchema: output.shape },
    answer,
  )
const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'bench', enableJsonResponse: true })
await server.connect(transport)
createServer((request, response) => void transport.handleRequest(request, response)).listen(
  Number(process.env.PORT),
  '127.0.0.1',
)
