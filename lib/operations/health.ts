import { z } from 'zod'
import { database, openingFault } from '@/db/client'
import { env } from '@/lib/core/env'
import { SERVICE } from '@/lib/core/service'
import { limitStore } from '@/lib/limits/limiter'
import { defineOperation } from './define'

/** A health answer must come at once, above all when the database does not. */
const PATIENCE_MS = 150
const PING = { name: 'plumbline_ping', text: 'select 1 as one' }

type DatabaseCheck = 'ok' | 'unanswering' | 'unopened'

// One question to the database at a time, however many ask: a flood of health checks must not be what fills its queue.
let asked: Promise<DatabaseCheck> | undefined

async function ask(): Promise<DatabaseCheck> {
  try {
    await (await database()).run(PING, [])
    return 'ok'
  } catch {
    return missed()
  }
}

/**
 * What no answer means: a server elsewhere may come back by itself, but an embedded database that could not be opened (another process
 * holds it, its files are damaged) leaves this process without anything to serve.
 */
const missed = (): DatabaseCheck =>
  env().databaseDriver === 'pglite' && openingFault() !== undefined ? 'unopened' : 'unanswering'

async function checkDatabase(): Promise<DatabaseCheck> {
  asked ??= ask().finally(() => {
    asked = undefined
  })
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<DatabaseCheck>((done) => {
    timer = setTimeout(() => done(missed()), PATIENCE_MS)
  })
  return Promise.race([asked, tooLate]).finally(() => clearTimeout(timer))
}

const STATUS = { ok: 'healthy', unanswering: 'degraded', unopened: 'unhealthy' } as const satisfies Record<
  DatabaseCheck,
  string
>

const Health = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  timestamp: z.iso.datetime({ precision: 3 }),
  uptime_seconds: z.number(),
  version: z.string(),
  checks: z.object({
    database: z.object({
      status: z.enum(['ok', 'unanswering', 'unopened']).describe('`unopened`: the embedded database cannot be used'),
    }),
    limiter: z.object({
      status: z
        .enum(['ok', 'degraded'])
        .describe('`degraded`: the shared store does not answer; each instance counts for itself'),
      store: z.enum(['process', 'redis']).describe('Where requests are counted now'),
    }),
  }),
})

const EXAMPLE: z.output<typeof Health> = {
  status: 'healthy',
  timestamp: '2026-11-20T08:30:00.000Z',
  uptime_seconds: 86400,
  version: SERVICE.version,
  checks: { database: { status: 'ok' }, limiter: { status: 'ok', store: 'process' } },
}

/** How the service is at a moment; within about {@link PATIENCE_MS} milliseconds, whatever the database does. */
export async function checkHealth(now: Date): Promise<z.output<typeof Health>> {
  const answered = await checkDatabase()
  const limiter = limitStore()
  return {
    status: answered === 'ok' && limiter.status !== 'ok' ? 'degraded' : STATUS[answered],
    timestamp: now.toISOString(),
    uptime_seconds: Math.floor(process.uptime()),
    version: SERVICE.version,
    checks: { database: { status: answered }, limiter },
  }
}

/** `GET /health`: whether the service works (specification 2.8). */
export const getHealth = defineOperation({
  name: 'get_health',
  title: 'Health',
  description:
    'Whether the service works: `healthy`; `degraded` while the database does not answer in time or limits are not counted together; `unhealthy`, with status 503, when this process cannot serve at all.',
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
          checks: { ...EXAMPLE.checks, database: { status: 'unopened' } },
        },
      },
    },
    statusOf: (result) => (Object(result).status === 'unhealthy' ? 503 : 200),
  },
  run: ({ now }) => checkHealth(now),
})
