import { connect, createServer, type Socket } from 'node:net'
import { listenOnFreePort } from '@/lib/core/listen'

/** A proxy to a database that can be muted: requests still arrive, but no answer comes back. */
export async function openMutedProxy(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  let muted = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(Number(port || 5432), hostname)
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    client.pipe(target)
    target.on('data', (chunk) => muted || client.write(chunk)).on('close', () => client.destroy())
  })
  const url = new URL(databaseUrl)
  url.host = `localhost:${await listenOnFreePort(server)}`
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    muted = false
  }
  return {
    url: url.href,
    mute: () => {
      muted = true
    },
    /** Breaks every connection; new connections work again. */
    cut,
    close: () => {
      cut()
      server.close()
    },
  }
}
