import { once } from 'node:events'
import type { Server } from 'node:net'

/** Starts a server on a free port that only this machine reaches, and returns the port. @throws Error when it cannot listen */
export async function listenOnFreePort(server: Server, host: '127.0.0.1' | 'localhost' = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return address.port
}
