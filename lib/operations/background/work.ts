import { database } from '@/db/client'
import { noteTime } from '@/db/queries/clock'
import { runConnectors, runDue as runConnectorsDue } from '@/lib/connectors/due'
import { later } from '@/lib/core/later'
import { runJob } from '@/lib/jobs/run'
import type { JobName } from '@/lib/jobs/table'
import { sweepUploads } from '@/lib/load/receive'
import { runRetention } from '@/lib/maintenance/retention'
import { runNotifications } from '@/lib/notify/run'
import { numberAll } from '@/lib/sync/numbering'
import { runToTheEnd, runWebhooks } from '@/lib/sync/webhooks/run'
import { runSources } from '../sources/runs/worker'
import { noteStatus } from '../status/note-status'

/** The longest run of retention by the clock: the next one, an hour after it, goes on. */
const RETENTION_MS = 15 * 60_000

// Loaded with the first run: a start needs nothing of search.
const keepIndexed = later(() => import('@/lib/knowledge/retrieval/keep-indexed'))
const embed = later(() => import('@/lib/knowledge/retrieval/embed'))

/** Does a kind of work once: by the clock of a long-lived process, or as a scheduler asks, within its time. */
type Work = (budgetMs?: number) => Promise<unknown>

/** Returns work that notes how it ended. */
const noted =
  (job: JobName, work: Work): Work =>
  (budgetMs) =>
    runJob(job, () => work(budgetMs))

/** What does each kind of work (lib/jobs/table.ts). */
export const WORK: Record<JobName, Work> = {
  search: noted('search', async (budgetMs) => (await keepIndexed()).keepIndexed(budgetMs)),
  // These note their runs themselves: a request begins them as well.
  webhooks: (budgetMs) =>
    budgetMs === undefined ? runToTheEnd() : runJob('webhooks', () => runWebhooks({ budgetMs })),
  connectors: (budgetMs) =>
    budgetMs === undefined ? runConnectorsDue() : runJob('connectors', () => runConnectors({ budgetMs })),
  changes: noted('changes', (budgetMs) => numberAll(performance.now() + (budgetMs ?? Number.POSITIVE_INFINITY))),
  alerts: noted('alerts', (budgetMs) => runNotifications({ budgetMs })),
  sources: noted('sources', (budgetMs) => runSources({ budgetMs })),
  embeddings: noted('embeddings', async (budgetMs) => ({
    made: await (await embed()).fillVectors(await database(), budgetMs),
  })),
  clock: noted('clock', async () => noteTime((await database()).orm)),
  status: noted('status', () => noteStatus()),
  retention: noted('retention', (budgetMs = RETENTION_MS) => runRetention({ budgetMs })),
  uploads: noted('uploads', () => sweepUploads()),
}
