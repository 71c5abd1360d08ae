// `@modelcontextprotocol/sdk` of the time of 2025-03-26: a session whose protocol has no `Mcp-Protocol-Version`, which the client ends.
import { Client } from 'sdk-2025-03-26/client/index.js'
import { StreamableHTTPClientTransport } from 'sdk-2025-03-26/client/streamableHttp.js'
import { LATEST_PROTOCOL_VERSION as protocol } from 'sdk-2025-03-26/types.js'
import { headers, print, takeTour, url } from './tour'

const client = new Client({ name: 'acceptance', version: '1.0.0' })
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
await client.connect(transport)
const { sessionId: session } = transport
const server = client.getServerVersion()
const instructions = client.getInstructions()
const tour = await takeTour(client, client.getServerCapabilities())
await client.ping()
await transport.terminateSession()
await client.close()
print({ session, protocol, server, instructions, ...tour })
