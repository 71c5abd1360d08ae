import { env } from '@/lib/core/env'
import { makeRuntime } from '@/lib/runtime/runtime'
import { bootDatabase } from '@/lib/server/boot'
import { endpoints } from '@/lib/server/endpoints'
import { createPlumblineServer } from '@/lib/server/node-server'
import { startRequestLog } from '@/lib/telemetry/start'

/** `server.ts` without its pages, so that the API can be measured without a build. */
makeRuntime('server.ts')
startRequestLog()
await bootDatabase()
const settings = env()
// Turns the log on and off within one process, so that nothing else differs.
process.on('SIGUSR2', () => Object.assign(settings, { requestLogDays: settings.requestLogDays > 0 ? 0 : 30 }))
createPlumblineServer(endpoints, (_, response) => response.writeHead(404).end(), settings).listen(
  settings.port,
  settings.host,
)
