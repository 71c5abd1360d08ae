import { subscribe } from 'node:diagnostics_channel'
import { IncomingMessage } from 'node:http'
import { closeDatabase, database, requireOfDatabase } from '@/db/client'
import { serveControl } from '@/lib/cli/control'
import { readSecrets } from '@/lib/cli/demo-file'
import { env } from '@/lib/core/env'
import { runsJobs } from '@/lib/core/jobs'
import { log, logFault } from '@/lib/core/log'
import { processWide } from '@/lib/core/shared'
import { DeploymentRefused, requireDeployable } from '@/lib/deployment/check'
import { isMisspelledApiPath } from '@/lib/http/hosts'
import { loadGuides } from '@/lib/knowledge/retrieval/guides'
import { warmLimits } from '@/lib/limits/limiter'
import { scheduleRetention } from '@/lib/retention/retention'
import { startMetrics } from '@/lib/telemetry/metrics'
import { startTracing } from '@/lib/telemetry/tracing'
import { stampAddress } from '@/lib/wire/address'

const entry = processWide<{ name: 'server.ts' | 'next' }>('entry', () => ({ name: 'next' }))

/** Says that `server.ts` runs this process, so that Next inside it leaves the boot to it. */
export function claimEntry(): void {
  entry().name = 'server.ts'
}

/**
 * Opens and migrates the database, puts this version's guides into the index, and lets this machine's command line reach the database
 * when it is embedded.
 * @throws DeploymentRefused when a public server was given the demonstration, which only its own command may serve, or a preview the
 * production database
 */
export async function bootDatabase({ demonstration = false } = {}): Promise<void> {
  const settings = env()
  if (!demonstration)
    requireOfDatabase((opened) => requireDeployable(opened, settings, Object.values(readSecrets(settings.dataDir))))
  const db = await database()
  // A search without guides is better than no start.
  await loadGuides(db).catch((error) => logFault({ operation: 'start' }, error))
  if (db.driver === 'pglite') await serveControl(db)
}

/**
 * What goes on beside the requests of a process: the shared limit store is reached ahead of the first of them, and retention runs by
 * itself where processes live on (on Vercel its scheduler calls).
 */
export function startBeside(): void {
  void warmLimits()
  if (env().vercel === undefined && runsJobs()) scheduleRetention()
}

/** Next would decode an odd path, or answer its own protocol's headers, before any code of ours could look at them. */
function prepareForNext(request: IncomingMessage): void {
  stampAddress(request)
  const path = request.url?.split('?')[0] ?? '/'
  if (isMisspelledApiPath(path)) request.url = '/api/unknown'
  if (request.url?.startsWith('/api/')) delete request.headers.rsc
}

/**
 * What `server.ts` does for itself, for plain `next start`: Node announces each request before Next sees it, and there its
 * header gets the socket's address. A database that is down does not stop the start; requests try again. One that must not be served
 * ends the process.
 */
export async function bootNext(): Promise<void> {
  if (entry().name === 'server.ts') return
  env()
  await startTracing()
  await startMetrics()
  subscribe('http.server.request.start', (message) => {
    const request = Object(message).request
    if (request instanceof IncomingMessage) prepareForNext(request)
  })
  process.once('exit', () => void closeDatabase())
  startBeside()
  await bootDatabase().catch((error) => {
    if (!(error instanceof DeploymentRefused)) return logFault({ operation: 'start' }, error)
    log('fatal', { operation: 'start' }, error.message)
    process.exit(1)
  })
}
