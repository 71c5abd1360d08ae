import { runConnectorsSoon } from '@/lib/connectors/due'
import { env } from '@/lib/core/env'
import { every } from '@/lib/jobs/every'
import { jobOf, jobsOf } from '@/lib/jobs/table'
import { sendSoon } from '@/lib/sync/webhooks/run'
import { WORK } from './work'

/** Begins all background work of a long-lived process: each kind by its own clock, and soon after the requests that cause it. */
export function runByClock(): void {
  sendSoon()
  runConnectorsSoon()
  for (const name of jobsOf(env())) {
    const { everyMs, firstMs = everyMs, lanes = 1 } = jobOf(name)
    for (let lane = 0; lane < lanes; lane++) every(name, everyMs, () => WORK[name](), { firstMs })
  }
}
