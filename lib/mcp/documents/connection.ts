import type { Tool } from '../tools'
import { NEWEST_SESSION_VERSION, PROTOCOL_VERSIONS } from './protocol'
import type { Site } from './site'

/** Describes how the server is reached (specification 2.8, `transports`). */
export const transportsOf = ({ mcp }: Site) => ({
  streamable_http: {
    endpoint: '/mcp',
    url: mcp,
    methods: ['POST', 'GET', 'DELETE'],
    protocol_versions: PROTOCOL_VERSIONS,
    description:
      'MCP over streamable HTTP. POST messages; answers are JSON. initialize opens a session, GET opens its stream of notifications, DELETE ends it; clients of 2026-07-28 need none.',
  },
  sse: {
    endpoint: '/mcp/sse',
    url: `${mcp}/sse`,
    methods: [],
    description: 'Retired: the separate SSE transport answers 410 and points to /mcp.',
  },
  json_rpc: {
    endpoint: '/mcp/rpc',
    url: `${mcp}/rpc`,
    methods: ['POST'],
    description: 'One JSON-RPC request without a session: tools/list or tools/call.',
  },
})

/** The credentials a client must send (specification 5). */
export const authenticationOf = ({ rate, signIn }: Site) => ({
  required: true,
  type: 'api_key',
  in: 'header',
  header: 'X-API-Key',
  format: 'plb_live_… or plb_test_…',
  applies_to: ['POST /mcp', 'GET /mcp', 'DELETE /mcp', 'POST /mcp/rpc'],
  description:
    'Keys are issued by the contractor’s administrator. A key sees one contractor and the tools its scopes allow; a session belongs to the key that opened it.',
  requests_per_minute: rate,
  ...(signIn && {
    or: {
      type: 'oauth2',
      authorization_server: signIn.server,
      protected_resource_metadata: signIn.metadata,
      description:
        'Or people sign in by OAuth 2.1 and choose the contractor and what the program may do; it needs nothing but this server’s URL.',
    },
  }),
})

/** Quotes text as one word for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function curlOf(url: string, body: unknown, headers: string[] = []): string {
  const all = ['"X-API-Key: $PLUMBLINE_KEY"', ...['Content-Type: application/json', ...headers].map(quoted)]
  return `curl -s ${quoted(url)} ${all.map((header) => `-H ${header}`).join(' ')} -d ${quoted(JSON.stringify(body))}`
}

/** Returns a tool call as a JSON-RPC request that `/mcp/rpc` accepts unchanged. */
export const callOf = ({ name, example }: Pick<Tool, 'name' | 'example'>) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: example },
})

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

/** The message that opens a session. */
export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: NEWEST_SESSION_VERSION,
    capabilities: {},
    clientInfo: { name: 'curl', version: '1.0.0' },
  },
}

/** Requests that work unchanged once `PLUMBLINE_KEY` is set, and a client's configuration. */
export function examplesOf({ mcp }: Site, [first]: readonly Tool[]) {
  return {
    read_the_catalog: { curl: `curl -s ${quoted(`${mcp}/tools.json`)}` },
    list_tools: { curl: curlOf(`${mcp}/rpc`, LIST), request: LIST },
    ...(first ? { call_a_tool: { curl: curlOf(`${mcp}/rpc`, callOf(first)), request: callOf(first) } } : {}),
    open_a_session: {
      curl: curlOf(mcp, INITIALIZE, ['Accept: application/json, text/event-stream']).replace('curl -s', 'curl -si'),
      request: INITIALIZE,
    },
    client_configuration: {
      mcpServers: { plumbline: { type: 'http', url: mcp, headers: { 'X-API-Key': '<your key>' } } },
    },
  }
}
