import { database, requireOfDatabase } from '@/db/client'
import { serveControl } from '@/lib/cli/control'
import { readSecrets } from '@/lib/cli/demo-file'
import { DiskFull, diskFullWords, isDiskFull, writesTo } from '@/lib/core/disk'
import { beginEntry, closeToOthers, entryName, hostOfNext } from '@/lib/core/entry'
import { env } from '@/lib/core/env'
import { OperatorError } from '@/lib/core/errors'
import { log, logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { runsJobs } from '@/lib/jobs/runs-jobs'
import { warmLimits } from '@/lib/limits/limiter'
import { recoverInterruptedLoads } from '@/lib/load/recover'
import { runByClock } from '@/lib/operations/background/by-clock'
import { startTelemetry } from '@/lib/telemetry/start'
import { DeploymentRefused, requireDeployable, requireLoopback } from './deployment/check'
import { startWarnings } from './deployment/warnings'
import { indexGuides } from './index-guides'
import { failStart, logStart } from './start'
import { writeOut } from './stop'

/** The time after its start at which `next start` reads the guides: a tenth of a second in which it answers nobody. */
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
    throw full && !(error instanceof OperatorError) ? new DiskFull(full, { cause: error }) : error
  })
  if (db.driver === 'pglite') await serveControl(db)
}

/**
 * Takes back what a killed process left of a load. Until then the next load of the contractor would do it. Called once the database
 * has passed its check: a process that must not serve a database must not write to it either.
 */
export async function recoverLoadsAtStart(): Promise<void> {
  if (!runsJobs()) return
  try {
    await recoverInterruptedLoads(await database())
  } catch (error) {
    if (!stopping().aborted) logFault({ operation: 'start' }, error)
  }
}

/**
 * Starts the background work of a process: it connects to the shared limit store before the first request, and begins all that runs by the
 * clock (lib/jobs/table.ts), which cron calls on Vercel.
 */
export function startBackgroundWork(): void {
  void warmLimits()
  if (!runsJobs()) return
  for (const warning of startWarnings(env(), entryName())) log('warn', { operation: 'start' }, warning)
  runByClock()
}

/**
 * Starts the service under plain `next start`: what runs behind its requests. Next ends the process by itself, so the log is written when
 * a signal comes. A database that is down does not stop the start, because
 * requests try again. A database that must not be served ends the process.
 */
export async function bootNext(): Promise<void> {
  if (!beginEntry('next')) return
  // Next's own files are left alone where none of ours are written.
  if (env().databaseDriver === 'pglite') closeToOthers()
  await startTelemetry()
  stopping().addEventListener('abort', () => void writeOut())
  startBackgroundWork()
  try {
    await bootDatabase({ host: hostOfNext(process.argv) })
  } catch (error) {
    if (error instanceof DeploymentRefused) failStart(error)
    return logStart(error, 'error')
  }
  void recoverLoadsAtStart()
  setTimeout(() => void indexGuides(), GUIDES_AFTER_MS).unref()
}
