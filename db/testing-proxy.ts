import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

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
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address() as AddressInfo
  const url = new URL(databaseUrl)
  url.host = `localhost:${address.port}`
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
