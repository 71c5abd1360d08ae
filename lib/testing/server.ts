// The one-machine server from source, without pages: `node --import tsx lib/testing/server.ts`.
import { start } from '@/lib/server/serve'
import { routeFiles } from './answer-of'

start({ routes: routeFiles, pages: async () => (_request, response) => response.writeHead(404).end() })
