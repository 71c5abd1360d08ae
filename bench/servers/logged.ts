import { env } from '@/lib/core/env'
import { makeRuntime } from '@/lib/runtime/runtime'
import { bootDatabase } from '@/lib/server/boot'
import { endpoints } from '@/lib/server/endpoints'
import { createPlumblineServer } from '@/lib/server/node-server'
import { startRequestLog } from '@/lib/telemetry/start'

/** `server.ts` without its pages, so that no build is needed to measure the API. */
makeRuntime('server.ts')
startRequestLog()
await bootDatabase()
const settings = env()
// On and off in one process: what is compared differs in nothing else.
process.on('SIGUSR2', () => Object.assign(settings, { requestLogDays: settings.requestLogDays > 0 ? 0 : 30 }))
createPlumblineServer(endpoints, (_, response) => response.writeHead(404).end(), settings).listen(
  settings.port,
  settings.host,
)
