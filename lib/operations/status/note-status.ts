import { database } from '@/db/client'
import { addChecks, type CheckedHour } from '@/db/queries/service-checks'
import { shared } from '@/lib/core/shared'
import { checkHealth } from '../health'
import { lookForOthers } from './counting-alone'

const HOUR_MS = 3_600_000
/** The maximum hours of checks that wait for a database that does not answer: four parts of two days. */
const MOST_WAITING = 192

const waiting = shared<Map<string, CheckedHour>>('statusWaiting', () => new Map<string, CheckedHour>())

type Health = Awaited<ReturnType<typeof checkHealth>>

/** Returns whether each part is well, as the health answer says it. */
const partsOf = ({ status, checks }: Health) => ({
  service: status !== 'unhealthy',
  database: checks.database.status === 'ok',
  limits: checks.limiter.status === 'ok',
  disk: checks.disk.status === 'ok',
})

/** Adds checks to those that wait; when there is no more room, new hours are not kept. */
function wait({ hour, part: name, checks, faults }: CheckedHour): void {
  const key = `${hour.toISOString()} ${name}`
  const before = waiting().get(key)
  if (!before && waiting().size >= MOST_WAITING) return
  const sum = { checks: checks + (before?.checks ?? 0), faults: faults + (before?.faults ?? 0) }
  waiting().set(key, { hour, part: name, ...sum })
}

function remember(health: Health, now: Date): void {
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
  for (const [name, isWell] of Object.entries(partsOf(health)))
    wait({ hour, part: name, checks: 1, faults: isWell ? 0 : 1 })
}

/**
 * Checks the service once and writes down the result, with those that an unanswering database has kept waiting.
 * @throws when the database does not take it; the checks then wait for the next time
 */
export async function noteStatus(now = new Date()): Promise<{ status: Health['status']; written: number }> {
  const health = await checkHealth(now)
  remember(health, now)
  await lookForOthers().catch(() => {})
  const taken = [...waiting().values()]
  waiting().clear()
  try {
    await addChecks((await database()).orm, taken)
  } catch (error) {
    for (const each of taken) wait(each)
    throw error
  }
  return { status: health.status, written: taken.length }
}
