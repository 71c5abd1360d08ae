import { createServer, request } from 'node:http'
import { listenOnFreePort } from '../lib/core/listen'

/**
 * Starts a proxy for clients that cannot send a key: it passes everything on unchanged and adds the key. Where the client names the
 * proxy as host or origin, the proxy substitutes the server's; other names are left for the server to check.
 */
export async function openKeyProxy(upstream: string, key: string) {
  const { hostname, port, host } = new URL(upstream)
  let own = ''
  const proxy = createServer((incoming, outgoing) => {
    const headers: NodeJS.Dict<string | string[]> = { ...incoming.headers, 'x-api-key': key }
    if (headers.host === own) headers.host = host
    if (headers.origin === `http://${own}`) headers.origin = `http://${host}`
    const passed = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    // A client that goes away ends what was passed on for it, such as a stream.
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  own = `localhost:${await listenOnFreePort(proxy, 'localhost')}`
  const close = () => {
    proxy.closeAllConnections()
    proxy.close()
  }
  return { url: `http://${own}`, close }
}
