import pTimeout from 'p-timeout'
import { z } from 'zod'
import { database, openingFault } from '@/db/client'
import { isDiskFull, writesTo } from '@/lib/core/disk'
import { countsAlone } from '@/lib/core/entry'
import { env } from '@/lib/core/env'
import { SERVICE } from '@/lib/core/service'
import { limitStore } from '@/lib/limits/limiter'
import { entryName, part } from '@/lib/runtime/runtime'
import { defineOperation } from './define'

/** In milliseconds. A health check must answer quickly, above all when the database does not. */
const PATIENCE_MS = 150
const PING = { name: 'plumbline_ping', text: 'select 1 as one' }

type DatabaseCheck = 'ok' | 'unanswering' | 'unopened'
/** With the time a response took, in milliseconds. */
export type CheckedDatabase = { status: DatabaseCheck; ms: number }

// Only one database query at a time, however many health checks run, so that a flood of them cannot fill the database's queue.
const asked = part('health', () => ({}))

async function ask(): Promise<CheckedDatabase> {
  try {
    const db = await database()
    const began = performance.now()
    await db.run(PING, [])
    return { status: 'ok', ms: performance.now() - began }
  } catch {
    return missed()
  }
}

/**
 * What no response means: a remote server may recover by itself, but an embedded database that could not be opened (another process
 * holds it, its files are damaged) leaves this process with nothing to serve.
 */
const missed = (): CheckedDatabase => ({
  status: env().databaseDriver === 'pglite' && openingFault() !== undefined ? 'unopened' : 'unanswering',
  ms: 0,
})

function checkDatabase(): Promise<CheckedDatabase> {
  const health = asked()
  health.current ??= ask().finally(() => {
    delete health.current
  })
  return pTimeout(health.current, { milliseconds: PATIENCE_MS, fallback: missed })
}

const checkDisk = (): Promise<boolean> =>
  pTimeout(isDiskFull(writesTo(env())), { milliseconds: PATIENCE_MS, fallback: () => false })

const STATUS = { ok: 'healthy', unanswering: 'degraded', unopened: 'unhealthy' } as const satisfies Record<
  DatabaseCheck,
  string
>

const DATABASE = {
  unanswering: 'the database does not answer',
  unopened: 'the embedded database could not be opened',
} as const

/** Formats an elapsed time in its largest whole unit. */
export function roughly(seconds: number): string {
  const [size, unit] =
    seconds >= 86_400 ? [86_400, 'd'] : seconds >= 3_600 ? [3_600, 'h'] : seconds >= 60 ? [60, 'min'] : [1, 's']
  return `${Math.floor(seconds / Number(size))} ${unit}`
}

/** Returns the whole answer as one line, for people and probes. */
function summaryOf(
  said: string,
  { status, ms }: CheckedDatabase,
  full: boolean,
  limiter: ReturnType<typeof limitStore> & { alone?: true },
  seconds: number,
): string {
  const answered = status === 'ok' ? `database ${Math.max(1, Math.round(ms))} ms` : DATABASE[status]
  const counted = limiter.alone ? 'limits in each process alone' : `limits in ${limiter.store}`
  const limits = limiter.status === 'ok' ? counted : 'the shared limit store does not answer'
  const disk = full ? ', the disk is full' : ''
  return `${said}: ${answered}${disk}, ${limits}, up ${roughly(seconds)}`
}

const Health = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  summary: z.string().describe('The same in one line, for people'),
  timestamp: z.iso.datetime({ precision: 3 }),
  uptime_seconds: z.number(),
  version: z.string(),
  checks: z.object({
    database: z.object({
      status: z.enum(['ok', 'unanswering', 'unopened']).describe('`unopened`: the embedded database cannot be used'),
    }),
    disk: z.object({
      status: z.enum(['ok', 'full']).describe('`full`: where this process writes there is no room; reads work'),
    }),
    limiter: z.object({
      status: z
        .enum(['ok', 'degraded'])
        .describe('`degraded`: the shared store does not answer; each instance counts for itself'),
      store: z.enum(['process', 'redis']).describe('Where requests are counted now'),
      alone: z
        .literal(true)
        .optional()
        .describe('Each instance counts by itself, so several let through several times as much'),
    }),
  }),
})

const EXAMPLE: z.output<typeof Health> = {
  status: 'healthy',
  summary: 'healthy: database 1 ms, limits in process, up 1 d',
  timestamp: '2026-11-20T08:30:00.000Z',
  uptime_seconds: 86400,
  version: SERVICE.version,
  checks: { database: { status: 'ok' }, disk: { status: 'ok' }, limiter: { status: 'ok', store: 'process' } },
}

/** Returns the service's health, within about {@link PATIENCE_MS} milliseconds, whatever the database does. */
export async function checkHealth(now: Date): Promise<z.output<typeof Health>> {
  const [checked, full] = await Promise.all([checkDatabase(), checkDisk()])
  const limiter = { ...limitStore(), ...(countsAlone(env(), entryName()) ? { alone: true as const } : {}) }
  const status = checked.status === 'ok' && (full || limiter.status !== 'ok') ? 'degraded' : STATUS[checked.status]
  const seconds = Math.floor(process.uptime())
  return {
    status,
    summary: summaryOf(status, checked, full, limiter, seconds),
    timestamp: now.toISOString(),
    uptime_seconds: seconds,
    version: SERVICE.version,
    checks: { database: { status: checked.status }, disk: { status: full ? 'full' : 'ok' }, limiter },
  }
}

/** `GET /health`: whether the service works (specification 2.8). */
export const getHealth = defineOperation({
  name: 'get_health',
  title: 'Health',
  description:
    'Whether the service works: `healthy`; `degraded` while the database does not answer in time, the disk is full or limits are not counted together; `unhealthy`, with status 503, when this process cannot serve at all.',
  access: 'public',
  effect: 'read',
  input: z.object({}),
  output: Health,
  example: EXAMPLE,
  http: {
    method: 'GET',
    path: '/health',
    at: 'root',
    others: {
      503: {
        description: 'This process cannot serve; send its requests to another',
        schema: Health,
        example: {
          ...EXAMPLE,
          status: 'unhealthy',
          summary: 'unhealthy: the embedded database could not be opened, limits in process, up 5 s',
          uptime_seconds: 5,
          checks: { ...EXAMPLE.checks, database: { status: 'unopened' } },
        },
      },
    },
    statusOf: (result) => (Object(result).status === 'unhealthy' ? 503 : 200),
  },
  run: ({ now }) => checkHealth(now),
})
