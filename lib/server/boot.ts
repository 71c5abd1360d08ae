import { closeDatabase, database, requireOfDatabase } from '@/db/client'
import { serveControl } from '@/lib/cli/control'
import { readSecrets } from '@/lib/cli/demo-file'
import { holdForConnectors, scheduleConnectors } from '@/lib/connectors/due'
import { DiskFull, diskFullWords, isDiskFull, writesTo } from '@/lib/core/disk'
import { hostOfNext } from '@/lib/core/entry'
import { env } from '@/lib/core/env'
import { runsJobs } from '@/lib/core/jobs'
import { log, logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { stampAddress } from '@/lib/http/address'
import { warmLimits } from '@/lib/limits/limiter'
import { holdForLoads } from '@/lib/load/hold'
import { scheduleSweep } from '@/lib/load/receive'
import { settleAllBroken } from '@/lib/load/settle'
import { keepClock } from '@/lib/maintenance/clock'
import { scheduleRetention } from '@/lib/maintenance/retention'
import { scheduleNotifications } from '@/lib/notify/run'
import { scheduleSources } from '@/lib/operations/sources/runs/worker'
import { scheduleStatus } from '@/lib/operations/status/note-status'
import { entryName, makeRuntime } from '@/lib/runtime/runtime'
import { scheduleNumbering } from '@/lib/sync/numbering'
import { holdForWebhooks, scheduleWebhooks } from '@/lib/sync/webhooks/run'
import { setHold } from '@/lib/telemetry/request-log'
import { startTelemetry } from '@/lib/telemetry/start'
import { onRequest, onServer, serverOn } from '@/patches/next-server'
import { beforeStop } from '@/patches/next-stop'
import { DeploymentRefused, requireDeployable, requireLoopback } from './deployment/check'
import { startWarnings } from './deployment/warnings'
import { prepareForNext } from './route'
import { writeOut } from './stop'

/** How long after its start `next start` reads the guides: a tenth of a second in which it answers nobody. */
const GUIDES_AFTER_MS = 1_000

/** Indexes this version's guides for search once the server answers requests. A failure is logged and does not stop the server. */
export async function indexGuides(): Promise<void> {
  const end = stopping()
  try {
    const { loadGuides } = await import('@/lib/knowledge/retrieval/guides')
    await loadGuides(await database())
  } catch (error) {
    // If the server was stopped in the meantime, the database is already closed.
    if (!end.aborted) logFault({ operation: 'start' }, error)
  }
}

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
  if (env().vercel !== undefined || !runsJobs()) return
  try {
    await settleAllBroken(await database())
  } catch (error) {
    if (!stopping().aborted) logFault({ operation: 'start' }, error)
  }
}

/**
 * Starts the background work of a process: it connects to the shared limit store before the first request. In a process that keeps
 * running, it also schedules retention, notifications, the clock row and status checks (on Vercel, cron calls them), and deletes
 * uploads left by a killed process.
 */
export function startBackgroundWork(): void {
  void warmLimits()
  if (runsJobs()) for (const warning of startWarnings(env(), entryName())) log('warn', { operation: 'start' }, warning)
  if (env().vercel !== undefined || !runsJobs()) return
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

/**
 * Puts our front before the server that `next start` made: Node reports each connection and request before that server gets it.
 * On Vercel the platform is the front and caps bodies at 4.5 MB; requests still get their client address here.
 */
async function installFront(): Promise<void> {
  if (env().vercel !== undefined) {
    onRequest((request) => {
      stampAddress(request)
      prepareForNext(request, env())
    })
    return
  }
  // Not loaded on Vercel, where it would add to the start of every function.
  const [{ frontNext }, { endpoints }] = await Promise.all([import('./next-front'), import('./endpoints')])
  onServer(env().port, (server, opened) => frontNext(server, endpoints, env(), opened))
  // It listens already, and may have requests.
  const listening = serverOn(env().port)
  if (listening) frontNext(listening, endpoints, env())
}

type Hold = (work: Promise<void>) => void

/** Keeps the process by `hold` for work behind an answer: for the request log, and on Vercel for loads and for what follows a write. */
export function holdBy(hold: Hold, onVercel: boolean): void {
  setHold(hold)
  if (!onVercel) return
  // A load whose answer was sent goes on.
  holdForLoads(hold)
  // No timer runs, so a write is followed by its webhooks.
  holdForWebhooks(hold)
  holdForConnectors(hold)
}

/**
 * Starts the service under plain `next start`, as `server.ts` does by itself. A database that is down does not stop the start, because
 * requests try again. A database that must not be served ends the process.
 */
export async function bootNext(): Promise<void> {
  if (!makeRuntime('next')) return
  env()
  await startTelemetry()
  await installFront()
  beforeStop(stopping(), async () => {
    await writeOut()
    await closeDatabase()
  })
  startBackgroundWork()
  const onPlatform = env().vercel !== undefined
  try {
    await bootDatabase({ host: onPlatform ? env().host : hostOfNext(process.argv) })
  } catch (error) {
    if (!(error instanceof DeploymentRefused)) return logFault({ operation: 'start' }, error)
    log('fatal', { operation: 'start' }, error.message)
    process.exit(1)
  }
  void settleLoads()
  // Vercel freezes a function when no request waits for it, so indexing is awaited there. Elsewhere the first requests come first.
  if (onPlatform) await indexGuides()
  else setTimeout(() => void indexGuides(), GUIDES_AFTER_MS).unref()
}
