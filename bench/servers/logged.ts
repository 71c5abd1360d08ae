import { beginEntry } from '@/lib/core/entry'
import { env } from '@/lib/core/env'
import { bootDatabase } from '@/lib/server/boot'
import { createPlumblineServer } from '@/lib/server/service-handler'
import { startRequestLog } from '@/lib/telemetry/start'
import { findRoute } from '@/lib/testing/answer-of'

/** The one-machine server without its pages, so that the API can be measured without a build. */
beginEntry('server')
startRequestLog()
await bootDatabase()
const settings = env()
// Turns the log on and off within one process, so that nothing else differs.
process.on('SIGUSR2', () => Object.assign(settings, { requestLogDays: settings.requestLogDays > 0 ? 0 : 30 }))
createPlumblineServer(findRoute, (_, response) => response.writeHead(404).end(), settings).listen(
  settings.port,
  settings.host,
)
