// `@modelcontextprotocol/client` 2: depending on the mode, it uses a session, the stateless revision, or whichever the server
// offers.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { headers, mode, print, takeTour, url } from './tour'

const how = mode === 'legacy' || mode === 'auto' ? mode : { pin: mode }
const client = new Client({ name: 'acceptance', version: '1.0.0' }, { versionNegotiation: { mode: how } })
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
await client.connect(transport)
const session = transport.sessionId
const protocol = client.getNegotiatedProtocolVersion()
const server = client.getServerVersion()
const instructions = client.getInstructions()
const tour = await takeTour(client, client.getServerCapabilities())
if (session !== undefined) await transport.terminateSession()
await client.close()
print({ session, protocol, server, instructions, ...tour })
