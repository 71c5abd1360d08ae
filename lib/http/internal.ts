import { createHash, timingSafeEqual } from 'node:crypto'
import { runConnectors } from '@/lib/connectors/due'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { runRetention } from '@/lib/maintenance/retention'
import { runNotifications } from '@/lib/notify/run'
import { runSources } from '@/lib/operations/sources/runs/worker'
import { noteStatus } from '@/lib/operations/status/note-status'
import { numberAll } from '@/lib/sync/numbering'
import { runWebhooks } from '@/lib/sync/webhooks/run'
import type { Answerer, Endpoint } from './endpoint'
import { logged } from './logged'
import { requireMethod } from './request'

/** Half of the time `vercel.json` gives the function, so that a batch that has begun can finish. */
const BUDGET_MS = 30_000

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Allows callers with the scheduler's secret, compared in constant time.
 * @throws ServiceError `not_found` when no secret is set, `unauthorized` without the right one
 */
function requireScheduler(authorization: string | null): void {
  const { cronSecret } = env()
  if (cronSecret === undefined)
    throw new ServiceError('not_found', 'This server takes no calls of a scheduler: CRON_SECRET is not set.')
  if (!timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${cronSecret}`)))
    throw new ServiceError('unauthorized', 'Send Authorization: Bearer with the value of CRON_SECRET.')
}

/** What a scheduler asks for: its secret, GET, then the work, whose result is the answer. */
const scheduled = (name: string, work: () => Promise<object>): Answerer =>
  logged(name, async (request, answer) => {
    try {
      // Vercel's scheduler calls with GET (vercel.com/docs/cron-jobs); HEAD must not change anything.
      requireMethod(request, ['GET'], 'GET')
      requireScheduler(request.headers.get('authorization'))
      return answer.json(JSON.stringify(await work()))
    } catch (error) {
      return answer.error(error)
    }
  })

// A plan that calls once a day has at least that day's check.
const retention = scheduled('run_retention', async () => {
  await noteStatus().catch((fault) => logFault({ operation: 'status' }, fault))
  await numberAll(performance.now() + BUDGET_MS / 2).catch((fault) => logFault({ operation: 'changes' }, fault))
  return runRetention({ budgetMs: BUDGET_MS })
})

const status = scheduled('note_status', () => noteStatus())

const webhooks = scheduled('run_webhooks', () => runWebhooks({ budgetMs: BUDGET_MS }))

const sources = scheduled('run_sources', () => runSources({ budgetMs: BUDGET_MS }))

const alerts = scheduled('run_alerts', () => runNotifications({ budgetMs: BUDGET_MS }))

const connectors = scheduled('run_connectors', () => runConnectors({ budgetMs: BUDGET_MS }))

/** Routes that only the platform calls: served by both entries, and in no document. This is the only list of them. */
export const internal = {
  retention: { path: '/api/internal/retention', answer: retention, takesBody: false },
  alerts: { path: '/api/internal/alerts', answer: alerts, takesBody: false },
  webhooks: { path: '/api/internal/webhooks', answer: webhooks, takesBody: false },
  connectors: { path: '/api/internal/connectors', answer: connectors, takesBody: false },
  sources: { path: '/api/internal/sources', answer: sources, takesBody: false },
  status: { path: '/api/internal/status', answer: status, takesBody: false },
} as const satisfies Record<string, Endpoint>
