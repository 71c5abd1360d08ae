// `mcp-remote`: what a desktop application starts to reach a server over stdio. The SDK plays the application.
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { key, mode, print, takeTour, url } from './tour'

const client = new Client({ name: 'acceptance', version: '1.0.0' })
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [
    join(import.meta.dirname, 'node_modules/mcp-remote/dist/proxy.js'),
    url,
    '--transport',
    'http-only',
    '--protocol',
    mode,
    '--header',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote fills it in from its environment.
    'X-API-Key:${PLUMBLINE_KEY}',
  ],
  env: { ...getDefaultEnvironment(), PLUMBLINE_KEY: key, MCP_REMOTE_CONFIG_DIR: process.env.HOME ?? '' },
  stderr: 'ignore',
})
await client.connect(transport)
const server = client.getServerVersion()
const instructions = client.getInstructions()
const tour = await takeTour(client, client.getServerCapabilities())
await client.close()
print({ server, instructions, ...tour })
