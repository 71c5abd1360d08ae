// The MCP server with the conformance runner's own tools, resources and prompts beside ours: `node --import tsx e2e/conformance/server.ts`.

import { beginEntry } from '../../lib/core/entry'
import { env } from '../../lib/core/env'
import { bootDatabase } from '../../lib/server/boot'
import { createPlumblineServer } from '../../lib/server/service-handler'
import { listen } from '../../lib/server/start'
import { stopOn } from '../../lib/server/stop'
import { findRoute } from '../../lib/testing/answer-of'
import { addFixtures } from './fixtures'

addFixtures()
const settings = env()
beginEntry('server')
const server = createPlumblineServer(
  findRoute,
  async (_request, response) => {
    response.writeHead(404).end()
  },
  settings,
)
await bootDatabase({ demonstration: false })
await listen(server, settings, 'the conformance server')
stopOn(server, settings)
