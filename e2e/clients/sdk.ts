// `@modelcontextprotocol/sdk`: a session over streamable HTTP, which the client ends.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { headers, print, takeTour, url } from './tour'

const client = new Client({ name: 'acceptance', version: '1.0.0' })
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
await client.connect(transport)
const { sessionId: session, protocolVersion: protocol } = transport
const server = client.getServerVersion()
const instructions = client.getInstructions()
const tour = await takeTour(client, client.getServerCapabilities())
await client.ping()
await transport.terminateSession()
await client.close()
print({ session, protocol, server, instructions, ...tour })
