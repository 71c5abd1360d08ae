// The MCP server with the conformance runner's own tools, resources and prompts beside ours: `node --import tsx e2e/conformance/server.ts`.
import { env } from '../../lib/core/env'
import { makeRuntime } from '../../lib/runtime/runtime'
import { bootDatabase } from '../../lib/server/boot'
import { endpoints } from '../../lib/server/endpoints'
import { createPlumblineServer } from '../../lib/server/node-server'
import { listen } from '../../lib/server/start'
import { stopOn } from '../../lib/server/stop'
import { addFixtures } from './fixtures'

addFixtures()
const settings = env()
makeRuntime('server.ts')
const server = createPlumblineServer(
  endpoints,
  async (_request, response) => {
    response.writeHead(404).end()
  },
  settings,
)
await bootDatabase({ demonstration: false })
await listen(server, settings, 'the conformance server')
stopOn(server, settings)
