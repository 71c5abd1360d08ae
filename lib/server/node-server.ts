import { createServer, type Server } from 'node:http'
import type { Env } from '@/lib/core/env'
import type { Endpoint } from '@/lib/http/endpoint'
import { CONNECTIONS, guardConnections } from './connections'
import { front, type NodeHandler } from './front'
import { serviceHandler } from './service-handler'

/** Creates the one-machine server: the front, then the endpoints, then `pages`. */
export function createPlumblineServer(all: Endpoint[], pages: NodeHandler, settings: Env): Server {
  const server = createServer(CONNECTIONS, front(serviceHandler(all, pages, settings)))
  guardConnections(server)
  return server
}
