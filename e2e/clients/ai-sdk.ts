// `@ai-sdk/mcp`: how applications built on the AI SDK use a server's tools, in either protocol mode.
import { createMCPClient } from '@ai-sdk/mcp'
import { headers, mode, print, takeTour, url } from './tour'

let session: string | undefined
const client = await createMCPClient({
  clientName: 'acceptance',
  protocolVersionDiscovery: mode === 'auto',
  transport: {
    type: 'http',
    url,
    headers,
    onSessionIdChange: (id) => {
      session ??= id
    },
  },
})
const protocol = client.initializeResult.protocolVersion
const server = client.serverInfo
const instructions = client.instructions
const offered = Object.keys(await client.tools())
const tour = await takeTour(client, client.initializeResult.capabilities)
await client.close()
print({ session, protocol, server, instructions, offered, ...tour })
