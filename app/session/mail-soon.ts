import 'server-only'
import { after } from 'next/server'
import { logFault } from '@/lib/core/log'
import { runJob } from '@/lib/jobs/run'
import { runNotifications } from '@/lib/notify/run'

const BUDGET_MS = 20_000

/** Sends what was queued once the response is out, so that nobody waits for a mail server. What fails is tried again by the timer. */
export function mailSoon(): void {
  after(() =>
    runJob('alerts', () => runNotifications({ budgetMs: BUDGET_MS })).catch((fault) =>
      logFault({ operation: 'alerts' }, fault),
    ),
  )
}
