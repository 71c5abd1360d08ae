import { setTimeout as sleep } from 'node:timers/promises'
import { requireOfDatabase } from '@/db/shared'
import { connectorDriver } from '@/lib/connectors/driver'
import { beginEntry } from '@/lib/core/entry'
import { type Env, env } from '@/lib/core/env'
import { OperatorError } from '@/lib/core/errors'
import { log } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { warmLimits } from '@/lib/limits/limiter'
import { setLoadHold } from '@/lib/load/hold'
import { webhookDriver } from '@/lib/sync/webhooks/after-write'
import { setHold } from '@/lib/telemetry/request-log'
import { startTelemetry } from '@/lib/telemetry/start'
import { DeploymentRefused, requireDeployable } from './deployment/check'
import { startWarnings } from './deployment/warnings'
import { failStart } from './start'
import { writeOut } from './stop'

type Hold = (work: Promise<void>) => void

/** The time after a write at which its events leave: the answer is sent before what sends them is loaded. */
const SOON_MS = 100
/** The time within which a function repeats what a receiver refused, of the 60 s that `vercel.json` gives it; cron repeats it later. */
const RETRY_MS = 40_000
const SEND_MS = 10_000
const behindAnswer = (work: () => Promise<void>): Promise<void> => sleep(SOON_MS).then(work)

/** @throws OperatorError without the address of a database: the embedded one has no disk in a function */
function requireDatabase({ databaseDriver }: Env): void {
  if (databaseDriver !== 'pglite') return
  throw new OperatorError(
    'On Vercel the service needs a Postgres, and neither DATABASE_URL nor POSTGRES_URL is set for this environment. In the project, ' +
      'open Storage and connect Neon to it, or add DATABASE_URL under Settings, Environment Variables; then deploy again.',
  )
}

/** Ends the function when the database that the first request opens must not be served by it. */
function guardDatabase(): void {
  requireOfDatabase(async (opened) => {
    try {
      await requireDeployable(opened, env(), [])
    } catch (error) {
      if (!(error instanceof DeploymentRefused)) throw error
      failStart(error)
    }
  })
}

/**
 * Sets what goes on behind an answer, where the platform freezes a function that nobody waits for: the request log, loads, and, as no
 * timer runs, what follows a write: its events and the index of search. Each is loaded when there is something to do.
 */
function holdBy(hold: Hold): void {
  setHold(hold, async () => (await import('./index-guides')).indexGuides())
  setLoadHold(hold)
  webhookDriver().kick = () => {
    webhookDriver().isAsked = true
    hold(
      behindAnswer(async () =>
        (await import('@/lib/sync/webhooks/run')).runDue({ budgetMs: SEND_MS, retryMs: RETRY_MS }),
      ),
    )
    hold(behindAnswer(async () => (await import('@/lib/knowledge/retrieval/keep-indexed')).indexBehindAnswer()))
  }
  connectorDriver().kick = () => hold(behindAnswer(async () => (await import('@/lib/connectors/due')).runDue()))
}

/**
 * Starts the service in a function on Vercel. Its first request waits for this, and then loads its route, so nothing is loaded here that a
 * route brings: the database is opened by the request. The platform is the front and caps bodies at 4.5 MB; cron calls what timers do
 * elsewhere.
 * @param hold keeps the function until work has ended
 */
export async function bootFunction(hold: Hold): Promise<void> {
  if (!beginEntry('next')) return
  const settings = env()
  requireDatabase(settings)
  guardDatabase()
  await startTelemetry()
  stopping().addEventListener('abort', () => void writeOut())
  holdBy(hold)
  void warmLimits()
  for (const warning of startWarnings(settings, 'next')) log('warn', { operation: 'start' }, warning)
}
