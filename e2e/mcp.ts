import { expect } from '@playwright/test'

/** Headers that a session client sends with every message. */
export const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
export const PING = { jsonrpc: '2.0', id: 7, method: 'ping' }
export const LIST = { jsonrpc: '2.0', id: 8, method: 'tools/list' }
export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }
export const hello = (protocolVersion = '2025-11-25') => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'acceptance', version: '1.0.0' } },
})

/** The two headers of a session. */
export type Session = { 'mcp-session-id': string; 'mcp-protocol-version': string }

export type Message = {
  method?: string
  path?: string
  key?: string | undefined
  headers?: Record<string, string>
  body?: unknown
}

/** Sends a message to any of the processes. A string body is sent unchanged. */
export async function send(url: string, { method = 'POST', path = '/mcp', key, headers, body }: Message) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...(method === 'POST' ? ACCEPT : {}), ...(key === undefined ? {} : { 'x-api-key': key }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

/** Opens a session and returns its headers. */
export async function connect(url: string, key: string): Promise<Session> {
  const { headers } = await send(url, { key, body: hello() })
  return {
    'mcp-session-id': headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': headers.get('mcp-protocol-version') ?? '',
  }
}

/** The body of error responses such as 400, 403, 404 and 406. */
export const rpcError = (code: number, id: string | number | null = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.any(String), data: { reason: expect.any(String) } },
})
