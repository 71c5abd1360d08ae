import * as z from 'zod'
import { database } from '@/db/client'
import { MOST_COUNTED } from '@/db/queries/job-runs'
import { type CheckedDay, checkedDays } from '@/db/queries/service-checks'
import { JOB_STATES, jobStates } from '@/lib/jobs/states'
import { JOB_NAMES } from '@/lib/jobs/table'
import { defineOperation } from '../define'
import { checkHealth } from '../health'
import { STATUS_DAYS } from './parts'

const DAY_MS = 86_400_000
/** The most that is counted of what waits. */
export const MOST_WAITING = MOST_COUNTED

const Day = z.object({
  day: z.iso.date(),
  checks: z.int(),
  faults: z.int(),
  hours: z.int().describe('Hours of the day in which a check ran'),
})
const Part = z.object({ part: z.enum(['service', 'database', 'limits', 'disk']), days: z.array(Day) })
const Work = z.object({
  job: z.enum(JOB_NAMES),
  title: z.string(),
  state: z.enum(JOB_STATES),
  ranAt: z.iso.datetime().nullable().describe('The end of the last run'),
  succeededAt: z.iso.datetime().nullable().describe('The end of the last run that succeeded'),
  waiting: z
    .int()
    .nullable()
    .describe(`What waits for it, up to ${MOST_WAITING.toLocaleString('en-US')}; null without a queue`),
  unfinished: z.array(z.string()).describe('What the last run left for the next one'),
})
const Status = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  summary: z.string(),
  parts: z.array(Part),
  work: z.array(Work),
})

const EXAMPLE: z.output<typeof Status> = {
  status: 'healthy',
  summary: 'healthy: database 1 ms, limits in process, up 1 d',
  parts: [{ part: 'database', days: [{ day: '2026-11-22', checks: 1440, faults: 0, hours: 24 }] }],
  work: [
    {
      job: 'search',
      title: 'Search index',
      state: 'ok',
      ranAt: '2026-11-22T10:30:00.000Z',
      succeededAt: '2026-11-22T10:30:00.000Z',
      waiting: 0,
      unfinished: [],
    },
  ],
}

/** The UTC days up to now, oldest first. */
const daysUpTo = (now: Date): string[] =>
  Array.from({ length: STATUS_DAYS }, (_, at) =>
    new Date(now.getTime() - (STATUS_DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  )

const NAMES = Part.shape.part.options

/** Returns each part with every day, also those without a check. */
function partsOf(checked: CheckedDay[], now: Date): z.output<typeof Part>[] {
  const found = new Map(checked.map((each) => [`${each.part} ${each.day}`, each]))
  return NAMES.map((part) => ({
    part,
    days: daysUpTo(now).map((day) => {
      const { checks = 0, faults = 0, hours = 0 } = found.get(`${part} ${day}`) ?? {}
      return { day, checks, faults, hours }
    }),
  }))
}

/** Returns how the service and its background work are, and what its checks found over 90 days; for everyone. */
export const getStatus = defineOperation({
  name: 'get_status',
  title: 'Status',
  description: `How the service and its background work are now, and what its own checks found on each of the last ${STATUS_DAYS} days.`,
  access: 'public',
  effect: 'read',
  input: z.object({}).strict(),
  output: Status,
  example: EXAMPLE,
  run: async ({ now }) => {
    const { status, summary } = await checkHealth(now)
    const since = new Date(`${daysUpTo(now)[0]}T00:00:00Z`)
    // While the database does not answer, what is known is the present.
    if (status !== 'healthy') return { status, summary, parts: partsOf([], now), work: [] }
    const checked = await checkedDays((await database()).orm, since)
    return { status, summary, parts: partsOf(checked, now), work: await jobStates(now) }
  },
})
