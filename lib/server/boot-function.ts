import { setTimeout as sleep } from 'node:timers/promises'
import { closeDatabase, requireOfDatabase } from '@/db/shared'
import { connectorDriver } from '@/lib/connectors/driver'
import { env } from '@/lib/core/env'
import { log } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { stampAddress } from '@/lib/http/address'
import { warmLimits } from '@/lib/limits/limiter'
import { holdForLoads } from '@/lib/load/hold'
import { makeRuntime } from '@/lib/runtime/runtime'
import { webhookDriver } from '@/lib/sync/webhooks/after-write'
import { setHold } from '@/lib/telemetry/request-log'
import { startTelemetry } from '@/lib/telemetry/start'
import { onRequest } from '@/patches/next-server'
import { beforeStop } from '@/patches/next-stop'
import { DeploymentRefused, requireDeployable } from './deployment/check'
import { startWarnings } from './deployment/warnings'
import { prepareForNext } from './route'
import { writeOut } from './stop'

type Hold = (work: Promise<void>) => void

/** How long after a write its events leave: the answer is sent before what sends them is loaded. */
const SOON_MS = 100
const behindAnswer = (work: () => Promise<void>): Promise<void> => sleep(SOON_MS).then(work)

/** Ends the function when the database that the first request opens must not be served by it. */
function guardDatabase(): void {
  requireOfDatabase(async (opened) => {
    try {
      await requireDeployable(opened, env(), [])
    } catch (error) {
      if (!(error instanceof DeploymentRefused)) throw error
      log('fatal', { operation: 'start' }, error.message)
      process.exit(1)
    }
  })
}

/**
 * Sets what goes on behind an answer, where the platform freezes a function that nobody waits for: the request log, loads, and, as no
 * timer runs, what follows a write. Each is loaded when there is something to do.
 */
function holdBy(hold: Hold): void {
  setHold(hold, async () => (await import('./index-guides')).indexGuides())
  holdForLoads(hold)
  webhookDriver().kick = () => {
    webhookDriver().isAsked = true
    hold(behindAnswer(async () => (await import('@/lib/sync/webhooks/run')).runAsked()))
  }
  connectorDriver().kick = () => hold(behindAnswer(async () => (await import('@/lib/connectors/due')).runAsked()))
}

/**
 * Starts the service in a function on Vercel. Its first request waits for this, and then loads its route, so nothing is loaded here that a
 * route brings: the database is opened by the request. The platform is the front and caps bodies at 4.5 MB; cron calls what timers do
 * elsewhere.
 * @param hold keeps the function until work has ended
 */
export async function bootFunction(hold: Hold): Promise<void> {
  if (!makeRuntime('next')) return
  const settings = env()
  guardDatabase()
  await startTelemetry()
  onRequest((request) => {
    stampAddress(request)
    prepareForNext(request, settings)
  })
  beforeStop(stopping(), async () => {
    await writeOut()
    await closeDatabase()
  })
  holdBy(hold)
  void warmLimits()
  for (const warning of startWarnings(settings, 'next')) log('warn', { operation: 'start' }, warning)
}
