import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { listenOnFreePort } from '../../lib/core/listen'

/** The treatment of a request on its way: it passes, something happens first, or it does not arrive. */
export type Turn = 'pass' | 'slow-down' | 'unavailable' | 'broken' | 'stale-token' | (() => Promise<void>)

export type Passed = { url: URL; status: number; date: Date; ids: string[] }

/**
 * Starts an unreliable proxy to a server. Each request takes the next turn; after the last turn everything passes. Requests that
 * pass are recorded.
 */
export async function openHostileProxy(upstream: string, turns: Turn[]) {
  const { hostname, port } = new URL(upstream)
  const passed: Passed[] = []
  const refuse = (outgoing: ServerResponse, status: number, code: string, headers = {}) =>
    outgoing
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: 'Wait.', code, requestId: 'req_of_a_test' }))

  const pass = (incoming: IncomingMessage, outgoing: ServerResponse, path: string) => {
    const { host: _, 'accept-encoding': __, ...headers } = incoming.headers
    const through = request({ hostname, port, path, method: incoming.method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => {
        const body = Buffer.concat(chunks)
        const items: { id: string }[] = JSON.parse(body.toString()).items ?? []
        const { statusCode: status = 0, headers } = answer
        passed.push({
          url: new URL(path, upstream),
          status,
          date: new Date(headers.date ?? ''),
          ids: items.map(({ id }) => id),
        })
        outgoing.writeHead(status, headers).end(body)
      })
    })
    through.on('error', () => outgoing.destroy()).end()
  }

  const proxy = createServer(async (incoming, outgoing) => {
    const path = incoming.url ?? '/'
    const turn = turns.shift() ?? 'pass'
    if (turn === 'slow-down') return refuse(outgoing, 429, 'rate_limited', { 'retry-after': '1' })
    if (turn === 'unavailable') return refuse(outgoing, 503, 'internal')
    if (turn === 'broken') return incoming.socket.destroy()
    if (typeof turn === 'function') await turn()
    // The server gives an invalid token the same answer as an expired one.
    pass(incoming, outgoing, turn === 'stale-token' ? path.replace(/pageToken=../, 'pageToken=xx') : path)
  })
  const url = `http://localhost:${await listenOnFreePort(proxy, 'localhost')}`
  const close = () => {
    proxy.closeAllConnections()
    proxy.close()
  }
  return { url, passed, turns, close }
}
