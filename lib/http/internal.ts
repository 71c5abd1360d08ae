import { createHash, timingSafeEqual } from 'node:crypto'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { CRON_BUDGET_MS, JOB_NAMES, JOBS, type JobName } from '@/lib/jobs/table'
import { WORK } from '@/lib/operations/background/work'
import type { Answerer } from './endpoint'
import { limitDocument } from './limit'
import { logged } from './logged'
import { requireMethod } from './request'
import { unknownPath } from './rest/route'

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

/** Returns the path by which a scheduler asks for a kind of work. It is in no document. */
export const schedulerPath = (job: JobName): string => `/api/internal/${job}`

/** The kinds of work that a scheduler may ask for. */
const SCHEDULED = JOB_NAMES.filter((job) => JOBS[job].cron !== null)

/** Does what a scheduler asks for: checks its secret and GET, then the work, whose result is the answer. */
const scheduled = (job: JobName): Answerer =>
  logged(`run_${job}`, async (request, answer) => {
    try {
      limitDocument(`run_${job}`, request)
      // Vercel's scheduler calls with GET (vercel.com/docs/cron-jobs); HEAD must not change anything.
      requireMethod(request, ['GET'], 'GET')
      requireScheduler(request.headers.get('authorization'))
      return answer.json(JSON.stringify((await WORK[job](CRON_BUDGET_MS)) ?? {}))
    } catch (error) {
      return answer.error(error)
    }
  })

const answerers = new Map(SCHEDULED.map((job) => [schedulerPath(job), scheduled(job)]))

/** Answers a scheduler, whichever kind of work it asks for. */
export const answerScheduler: Answerer = (request) =>
  (answerers.get(new URL(request.url).pathname) ?? unknownPath)(request)
