import { closeDatabase, database, requireOfDatabase } from '@/db/client'
import { serveControl } from '@/lib/cli/control'
import { readSecrets } from '@/lib/cli/demo-file'
import { scheduleConnectors } from '@/lib/connectors/due'
import { DiskFull, diskFullWords, isDiskFull, writesTo } from '@/lib/core/disk'
import { hostOfNext } from '@/lib/core/entry'
import { env } from '@/lib/core/env'
import { runsJobs } from '@/lib/core/jobs'
import { log, logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { warmLimits } from '@/lib/limits/limiter'
import { scheduleSweep } from '@/lib/load/receive'
import { settleAllBroken } from '@/lib/load/settle'
import { keepClock } from '@/lib/maintenance/clock'
import { scheduleRetention } from '@/lib/maintenance/retention'
import { scheduleNotifications } from '@/lib/notify/run'
import { scheduleSources } from '@/lib/operations/sources/runs/worker'
import { scheduleStatus } from '@/lib/operations/status/note-status'
import { entryName, makeRuntime } from '@/lib/runtime/runtime'
import { scheduleNumbering } from '@/lib/sync/numbering'
import { scheduleWebhooks } from '@/lib/sync/webhooks/run'
import { startTelemetry } from '@/lib/telemetry/start'
import { onServer, serverOn } from '@/patches/next-server'
import { beforeStop } from '@/patches/next-stop'
import { DeploymentRefused, requireDeployable, requireLoopback } from './deployment/check'
import { startWarnings } from './deployment/warnings'
import { endpoints } from './endpoints'
import { indexGuides } from './index-guides'
import { earlyAnswered, frontNext } from './next-front'
import { writeOut } from './stop'

/** How long after its start `next start` reads the guides: a tenth of a second in which it answers nobody. */
const GUIDES_AFTER_MS = 1_000

/**
 * Opens and migrates the database, and lets this machine's command line reach it when it is embedded.
 * @throws DiskFull when the disk has no room to open it; when it can only be read, a warning is logged
 * @throws DeploymentRefused when a public server was given the demonstration data, which only `npm run demo` serves, on loopback, or
 * a preview was given the production database
 */
export async function bootDatabase({ demonstration = false, host = env().host } = {}): Promise<void> {
  const settings = { ...env(), host }
  if (demonstration) requireLoopback(settings)
  if (!demonstration)
    requireOfDatabase((opened) => requireDeployable(opened, settings, Object.values(readSecrets(settings.dataDir))))
  const directory = writesTo(settings)
  const full = (await isDiskFull(directory)) ? diskFullWords(directory) : undefined
  if (full) log('warn', { operation: 'start' }, full)
  const db = await database().catch((error) => {
    throw full ? new DiskFull(full, { cause: error }) : error
  })
  if (db.driver === 'pglite') await serveControl(db)
}

/**
 * Takes back what a killed process left of a load. Until then the next load of the contractor would do it. Called once the database
 * has passed its check: a process that must not serve a database must not write to it either.
 */
export async function settleLoads(): Promise<void> {
  if (!runsJobs()) return
  try {
    await settleAllBroken(await database())
  } catch (error) {
    if (!stopping().aborted) logFault({ operation: 'start' }, error)
  }
}

/**
 * Starts the background work of a process: it connects to the shared limit store before the first request, schedules what cron calls on
 * Vercel, and deletes uploads left by a killed process.
 */
export function startBackgroundWork(): void {
  void warmLimits()
  if (!runsJobs()) return
  for (const warning of startWarnings(env(), entryName())) log('warn', { operation: 'start' }, warning)
  scheduleRetention()
  scheduleNotifications()
  scheduleNumbering()
  scheduleWebhooks()
  scheduleConnectors()
  scheduleSources()
  keepClock()
  scheduleStatus()
  scheduleSweep()
}

/** Puts our front before the server that `next start` made: Node reports each connection and request before that server gets it. */
function installFront(): void {
  onServer(env().port, (server, opened) => frontNext(server, endpoints, env(), opened))
  // It listens already, and may have requests.
  const listening = serverOn(env().port)
  if (listening) frontNext(listening, endpoints, env())
}

/**
 * Starts the service under plain `next start`, as `server.ts` does by itself. A database that is down does not stop the start, because
 * requests try again. A database that must not be served ends the process.
 */
export async function bootNext(): Promise<void> {
  if (!makeRuntime('next')) return
  env()
  await startTelemetry()
  installFront()
  beforeStop(stopping(), async () => {
    await writeOut()
    await closeDatabase()
  })
  startBackgroundWork()
  try {
    await bootDatabase({ host: hostOfNext(process.argv) })
  } catch (error) {
    if (!(error instanceof DeploymentRefused)) return logFault({ operation: 'start' }, error)
    log('fatal', { operation: 'start' }, error.message)
    process.exit(1)
  }
  void settleLoads()
  await earlyAnswered(endpoints, env())
  setTimeout(() => void indexGuides(), GUIDES_AFTER_MS).unref()
}
