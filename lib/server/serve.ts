import { setTimeout as sleep } from 'node:timers/promises'
import { closeDatabase, database } from '@/db/client'
import { provideSecrets } from '@/lib/cli/demo-file'
import { beginEntry, closeToOthers } from '@/lib/core/entry'
import { type Env, env, loadEnv } from '@/lib/core/env'
import { log, logFault } from '@/lib/core/log'
import { startTelemetry } from '@/lib/telemetry/start'
import { sendUp } from '@/lib/telemetry/worker-messages'
import { bootDatabase, recoverLoadsAtStart, startBackgroundWork } from './boot'
import { refuseUpgrades } from './connections'
import type { NodeHandler } from './front'
import { indexGuides } from './index-guides'
import { openAnswers } from './open-answers'
import { type RouteFiles, routeTable } from './route-table'
import { createPlumblineServer } from './service-handler'
import { failStart, listen, requireFiles, requireWorkersSafe } from './start'
import { stopOn } from './stop'
import { runWorkers } from './workers/primary'

/** The output of `next build`: its route files, and the server of its pages, which takes longer to load than all of the rest. */
export type Build = { routes: RouteFiles; pages(host: string, port: number): Promise<NodeHandler> }

const DEMO = process.argv.includes('--demo')
const COMMAND = DEMO ? 'npm run demo' : 'npm start'

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

/** The longest time that the API's first answers hold up the pages. */
const MOST_HELD_UP_MS = 1_000

/** Waits until what came during the start is answered, because loading the pages holds everything up; who asks for a page ends the wait. */
async function untilAnswered(isPageWanted: () => boolean): Promise<void> {
  const end = performance.now() + MOST_HELD_UP_MS
  while (openAnswers().all.size > 0 && !isPageWanted() && performance.now() < end) await sleep(5)
}

/** Answers requests in this process: the only one, or one of several workers. */
async function serve(settings: Env, build: Build): Promise<void> {
  beginEntry('server')
  let isReady = (_pages: NodeHandler) => {}
  const pages = new Promise<NodeHandler>((done) => {
    isReady = done
  })
  let isPageWanted = false
  const server = createPlumblineServer(
    routeTable(build.routes),
    async (request, response) => {
      isPageWanted = true
      const answer = await pages
      await answer(request, response)
    },
    settings,
  )
  refuseUpgrades(server)
  await startTelemetry()
  await listen(server, settings, COMMAND)
  stopOn(server, settings)
  startBackgroundWork()
  const isWorker = settings.workerSlot !== undefined
  // The API answers from here on.
  await (isWorker ? database() : bootDatabase({ demonstration: DEMO }))
  void recoverLoadsAtStart()
  await untilAnswered(() => isPageWanted)
  isReady(await build.pages(settings.host, settings.port))
  if (!isWorker) await indexGuides()
  const welcome = isWorker ? '' : await welcomeOf(settings)
  if (isWorker) sendUp({ plumbline: 'ready' })
  log('info', { driver: settings.databaseDriver }, isWorker ? 'worker started' : 'started')
  process.stdout.write(welcome)
}

async function main(build: Build): Promise<void> {
  requireFiles()
  closeToOthers()
  if (DEMO) provideSecrets(loadEnv().dataDir)
  const settings = env()
  const isFirst = settings.workerSlot === undefined
  await (isFirst && settings.workers > 1 ? startWorkers(settings) : serve(settings, build))
}

/** Starts the server, in this process or in several workers; a start that fails ends the process. */
export function start(build: Build): void {
  // Logged in addition to Node's own report, which stays: this line is for log collectors.
  process.on('uncaughtExceptionMonitor', (fault) => logFault({ operation: 'process' }, fault, 'fatal'))
  main(build).catch(failStart)
}
