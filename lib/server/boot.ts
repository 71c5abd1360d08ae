import { closeDatabase, database, requireOfDatabase } from '@/db/client'
import { serveControl } from '@/lib/cli/control'
import { readSecrets } from '@/lib/cli/demo-file'
import { DiskFull, diskFullWords, isDiskFull, writesTo } from '@/lib/core/disk'
import { hostOfNext } from '@/lib/core/entry'
import { env } from '@/lib/core/env'
import { runsJobs } from '@/lib/core/jobs'
import { log, logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { stampAddress } from '@/lib/http/address'
import { warmLimits } from '@/lib/limits/limiter'
import { sweepUploads } from '@/lib/load/upload'
import { keepClock } from '@/lib/maintenance/clock'
import { scheduleRetention } from '@/lib/maintenance/retention'
import { scheduleNotifications } from '@/lib/notify/run'
import { scheduleStatus } from '@/lib/operations/status/note-status'
import { entryName, makeRuntime } from '@/lib/runtime/runtime'
import { startTelemetry } from '@/lib/telemetry/start'
import { onRequest, onServer } from '@/patches/next-server'
import { DeploymentRefused, requireDeployable, requireLoopback } from './deployment/check'
import { startWarnings } from './deployment/warnings'
import { frontNext, prepareForNext } from './next-front'

/** Puts this version's guides into the index, once requests are answered. A search without them is better than no start. */
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
 * @throws DiskFull when there is no room to open it in; a disk on which it can only be read is told
 * @throws DeploymentRefused when a public server was given the demonstration, which only its own command may serve, on loopback, or a
 * preview the production database
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
 * What goes on beside the requests of a process: the shared limit store is reached ahead of the first of them, and where processes live on
 * retention runs by itself (on Vercel its scheduler calls), the database is told how late it is, and uploads that a kill left go.
 */
export function startBeside(): void {
  void warmLimits()
  if (runsJobs()) for (const warning of startWarnings(env(), entryName())) log('warn', { operation: 'start' }, warning)
  if (env().vercel !== undefined || !runsJobs()) return
  scheduleRetention()
  scheduleNotifications()
  keepClock()
  scheduleStatus()
  void sweepUploads()
}

/**
 * Puts the front before the server that `next start` made: Node tells of each connection and request before the server hears of it.
 * On Vercel the platform is the front, and caps bodies at 4.5 MB; what it hands on still gets its address here.
 */
function takeFront(): void {
  if (env().vercel === undefined) {
    onServer(env().port, (server, opened) => frontNext(server, env(), opened))
    return
  }
  onRequest((request) => {
    stampAddress(request)
    prepareForNext(request, env())
  })
}

/**
 * What `server.ts` does for itself, for plain `next start`. A database that is down does not stop the start; requests try again. One
 * that must not be served ends the process.
 */
export async function bootNext(): Promise<void> {
  if (!makeRuntime('next')) return
  env()
  await startTelemetry()
  takeFront()
  process.once('exit', () => void closeDatabase())
  startBeside()
  const onPlatform = env().vercel !== undefined
  try {
    await bootDatabase({ host: onPlatform ? env().host : hostOfNext(process.argv) })
  } catch (error) {
    if (!(error instanceof DeploymentRefused)) return logFault({ operation: 'start' }, error)
    log('fatal', { operation: 'start' }, error.message)
    process.exit(1)
  }
  const indexed = indexGuides()
  // The platform freezes a function that no request waits for; elsewhere no request waits for the guides.
  if (onPlatform) await indexed
}
