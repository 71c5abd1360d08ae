import type { Server } from 'node:http'
import { closeDatabase, database } from '@/db/client'
import { provideSecrets } from '@/lib/cli/demo-file'
import { type Env, env, loadEnv } from '@/lib/core/env'
import { log, logFault } from '@/lib/core/log'
import { makeRuntime } from '@/lib/runtime/runtime'
import { startTelemetry } from '@/lib/telemetry/start'
import { startFromBuiltConfig } from '@/patches/next-config'
import { bootDatabase, settleLoads, startBackgroundWork } from './boot'
import { refuseUpgrades } from './connections'
import { endpoints } from './endpoints'
import type { NodeHandler } from './front'
import { indexGuides } from './index-guides'
import { createPlumblineServer } from './node-server'
import { failStart, listen, requireWorkersSafe } from './start'
import { stopOn } from './stop'
import { sendUp } from './workers/messages'
import { runWorkers } from './workers/primary'

const DEV = process.argv.includes('--dev')
const DEMO = process.argv.includes('--demo')
const COMMAND = DEMO ? 'npm run demo' : 'npm start'

async function startPages({ port, host }: Env, server: Server): Promise<NodeHandler> {
  if (!DEV) startFromBuiltConfig(process.cwd())
  const { default: next } = await import('next')
  const app = next({ dev: DEV, hostname: host, port })
  await app.prepare()
  if (DEV) server.on('upgrade', app.getUpgradeHandler())
  return app.getRequestHandler()
}

async function welcomeOf(settings: Env): Promise<string> {
  if (!DEMO) return `Plumbline answers at ${settings.publicUrl}\n`
  const { demoWelcome, prepareDemo } = await import('@/lib/cli/demo')
  return demoWelcome(await prepareDemo(settings), settings.dataDir)
}

/** Migrates and prepares once, then leaves the database and the requests to the workers. */
async function startWorkers(settings: Env): Promise<void> {
  requireWorkersSafe(settings)
  await bootDatabase({ demonstration: DEMO })
  await indexGuides()
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
  let isReady = (_pages: NodeHandler) => {}
  const pages = new Promise<NodeHandler>((done) => {
    isReady = done
  })
  const server = createPlumblineServer(
    endpoints,
    async (request, response) => (await pages)(request, response),
    settings,
  )
  if (!DEV) refuseUpgrades(server)
  await startTelemetry()
  await listen(server, settings, COMMAND)
  stopOn(server, settings)
  startBackgroundWork()
  const isWorker = settings.workerSlot !== undefined
  // The API answers from here on; Next takes longer to load than all of the rest.
  await (isWorker ? database() : bootDatabase({ demonstration: DEMO }))
  void settleLoads()
  isReady(await startPages(settings, server))
  if (!isWorker) await indexGuides()
  const welcome = isWorker ? '' : await welcomeOf(settings)
  if (isWorker) sendUp({ plumbline: 'ready' })
  log('info', { driver: settings.databaseDriver }, isWorker ? 'worker started' : 'started')
  process.stdout.write(welcome)
}

async function main(): Promise<void> {
  Object.assign(process.env, { NODE_ENV: DEV ? 'development' : (process.env.NODE_ENV ?? 'production') })
  if (DEMO) provideSecrets(loadEnv().dataDir)
  const settings = env()
  const isFirst = settings.workerSlot === undefined
  await (isFirst && settings.workers > 1 && !DEV ? startWorkers(settings) : serve(settings))
}

/** Starts the server, in this process or in several workers; a start that fails ends the process. */
export function start(): void {
  // Logged in addition to Node's own report, which stays: this line is for log collectors.
  process.on('uncaughtExceptionMonitor', (fault) => logFault({ operation: 'process' }, fault, 'fatal'))
  main().catch(failStart)
}
