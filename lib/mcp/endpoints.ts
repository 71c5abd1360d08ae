import { type Answerer, type Endpoint, OAUTH_PATH } from '@/lib/http/endpoint'

/** The SDKs of both protocol modes take longer to load than the rest of the server, so the first request of an agent loads them. */
const loaded =
  (load: () => Promise<Answerer>): Answerer =>
  async (request) =>
    (await load())(request)

/** The endpoints that agents call. */
export const mcpEndpoints: Endpoint[] = [
  { path: '/mcp', answer: loaded(async () => (await import('./streamable-http')).streamableHttp), takesBody: true },
  { path: '/mcp/rpc', answer: loaded(async () => (await import('./rpc')).compatibilityRpc), takesBody: true },
  { path: '/mcp/sse', answer: loaded(async () => (await import('./sse')).formerSse), takesBody: false },
  { path: OAUTH_PATH, answer: loaded(async () => (await import('./oauth')).noOAuth), takesBody: true },
]
