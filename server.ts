import { existsSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import pTimeout from 'p-timeout'
import { closeDatabase, DirectoryLocked, database } from '@/db/client'
import { demoWelcome, prepareDemo } from '@/lib/cli/demo'
import { provideSecrets } from '@/lib/cli/demo-file'
import { DiskFull } from '@/lib/core/disk'
import { type Env, EnvError, env, loadEnv } from '@/lib/core/env'
import { log, logFault } from '@/lib/core/log'
import { onStopSignal } from '@/lib/core/stop-signal'
import { makeRuntime } from '@/lib/runtime/runtime'
import { bootDatabase, startBeside } from '@/lib/server/boot'
import { refuseUpgrades } from '@/lib/server/connections'
import { DeploymentRefused } from '@/lib/server/deployment/check'
import { endpoints } from '@/lib/server/endpoints'
import { createPlumblineServer } from '@/lib/server/node-server'
import { sendUp } from '@/lib/server/workers/messages'
import { runWorkers } from '@/lib/server/workers/primary'
import { requestsLogged } from '@/lib/telemetry/request-log'
import { startTelemetry } from '@/lib/telemetry/start'
import { tracesSent } from '@/lib/telemetry/tracing'

const DEV = process.argv.includes('--dev')
const DEMO = process.argv.includes('--demo')

/** How long requests in flight may take once the server is stopping. */
const DRAIN_MS = 8_000
const SWEEP_MS = 100
const LAST_WRITE_MS = 1_500

/** A startup error the operator can fix: shown in one sentence, without a stack. */
class StartError extends Error {}

function listen(server: Server, { port, host }: Env): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is in use by another program. Stop it, or choose another port: PORT=${port + 1} npm ${DEMO ? 'run demo' : 'start'}`
      const reasons: Record<string, string> = {
        EADDRINUSE: taken,
        EACCES: `Port ${port} needs rights this user does not have. Choose one above 1023 with PORT.`,
        EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one it has, such as 127.0.0.1.`,
      }
      fail(new StartError(reasons[error.code ?? ''] ?? error.message))
    })
    server.listen(port, host, done)
  })
}

async function startPages({ port, host }: Env, server: Server) {
  const { default: next } = await import('next')
  const app = next({ dev: DEV, hostname: host, port })
  await app.prepare()
  if (DEV) server.on('upgrade', app.getUpgradeHandler())
  return app.getRequestHandler()
}

/** What the request log and the traces still hold leaves before the end, unless nobody takes it. */
async function writeOut(): Promise<void> {
  const written = Promise.all([requestsLogged(), tracesSent()])
  await pTimeout(written, { milliseconds: LAST_WRITE_MS, fallback: () => undefined })
}

function stopOn(server: Server, { workerSlot }: Env): void {
  const stop = () => {
    const forced = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    // A connection that is kept alive would hold the end up for as long as its client goes on asking.
    server.prependListener('request', (_, response: ServerResponse) => {
      response.shouldKeepAlive = false
    })
    const idle = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    server.close(async () => {
      clearTimeout(forced)
      clearInterval(idle)
      await writeOut()
      await closeDatabase()
      process.exit(0)
    })
  }
  if (workerSlot === undefined) {
    onStopSignal(stop, () => process.exit(1))
    return
  }
  // A worker is told by the first process, and how long it may take is decided there; a terminal's signal reaches it too.
  onStopSignal(stop, () => {}, ['SIGTERM'])
  process.on('SIGINT', () => {})
}

const welcomeOf = async (settings: Env) =>
  DEMO ? demoWelcome(await prepareDemo(settings), settings.dataDir) : `Plumbline answers at ${settings.publicUrl}\n`

/** @throws StartError where several workers would break a promise: one process per embedded database, and exact limits */
function requireShared(settings: Env): void {
  if (settings.databaseDriver === 'pglite')
    throw new StartError(
      `WEB_CONCURRENCY is ${settings.workers}, but the embedded database is opened by one process at a time. Set DATABASE_URL to a Postgres, or leave WEB_CONCURRENCY out.`,
    )
  if (!settings.limitStore && !settings.limitsPerWorker)
    throw new StartError(
      `WEB_CONCURRENCY is ${settings.workers}, but each worker would count requests by itself, so that a limit of 10 would let ${settings.workers * 10} pass. ` +
        'Set UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN to count in one place, set LIMITS_PER_WORKER=true to accept it, or leave WEB_CONCURRENCY out.',
    )
}

/** Migrates and prepares once, then leaves the database and the requests to the workers. */
async function startWorkers(settings: Env): Promise<void> {
  requireShared(settings)
  await bootDatabase({ demonstration: DEMO })
  const welcome = await welcomeOf(settings)
  await closeDatabase()
  const code = await runWorkers(settings.workers, () => {
    log('info', { workers: settings.workers }, 'started')
    process.stdout.write(welcome)
  })
  process.exit(code)
}

/** Answers requests in this process: the only one, or one of several workers. */
async function serve(settings: Env): Promise<void> {
  makeRuntime('server.ts')
  let pages: (request: IncomingMessage, response: ServerResponse) => unknown
  let isReady = () => {}
  const ready = new Promise<void>((done) => {
    isReady = done
  })
  const server = createPlumblineServer(
    endpoints,
    async (request, response) => {
      await ready
      return pages(request, response)
    },
    settings,
  )
  if (!DEV) refuseUpgrades(server)
  await startTelemetry()
  await listen(server, settings)
  stopOn(server, settings)
  startBeside()
  const isWorker = settings.workerSlot !== undefined
  await (isWorker ? database() : bootDatabase({ demonstration: DEMO }))
  const welcome = isWorker ? '' : await welcomeOf(settings)
  pages = await startPages(settings, server)
  isReady()
  if (isWorker) sendUp({ plumbline: 'ready' })
  log('info', { driver: settings.databaseDriver }, isWorker ? 'worker started' : 'started')
  process.stdout.write(welcome)
}

async function main(): Promise<void> {
  Object.assign(process.env, { NODE_ENV: DEV ? 'development' : (process.env.NODE_ENV ?? 'production') })
  if (DEMO) provideSecrets(loadEnv().dataDir)
  const settings = env()
  if (!DEV && !existsSync('.next/BUILD_ID')) throw new StartError('There is no build yet. Run `npm run build` first.')
  const isFirst = settings.workerSlot === undefined
  await (isFirst && settings.workers > 1 && !DEV ? startWorkers(settings) : serve(settings))
}

// Heard beside Node's own report, which stays as it is: the line is for whoever collects lines.
process.on('uncaughtExceptionMonitor', (fault) => logFault({ operation: 'process' }, fault, 'fatal'))

main().catch((error) => {
  const known = [StartError, EnvError, DirectoryLocked, DeploymentRefused, DiskFull].some(
    (kind) => error instanceof kind,
  )
  if (known) log('fatal', { operation: 'start' }, error.message)
  else logFault({ operation: 'start' }, error, 'fatal')
  process.exit(1)
})
