import * as z from 'zod'
import { database, isMigrating, isOpened, openingFault } from '@/db/client'
import { isDiskFull, writesTo } from '@/lib/core/disk'
import { env } from '@/lib/core/env'
import { faultCode } from '@/lib/core/fault-code'
import { within } from '@/lib/core/later'
import { BUILD, SERVICE } from '@/lib/core/service'
import { shared } from '@/lib/core/shared'
import { limitStore } from '@/lib/limits/limiter'
import { defineOperation } from './define'
import { isCountingAlone } from './status/counting-alone'

/** The time limit in milliseconds. A health check must answer quickly, above all when the database does not. */
const PATIENCE_MS = 150
/** The age of a process until which its database may still be being opened, as by the first request of a function: that is no fault yet. */
const STARTING_MS = 5_000
const PING = { name: 'plumbline_ping', text: 'select 1 as one' }

type DatabaseCheck = 'ok' | 'unanswering' | 'migrating' | 'refusing' | 'unopened'
/** The status, with the time a response took, in milliseconds. */
export type CheckedDatabase = { status: DatabaseCheck; ms: number }

// Only one database query at a time, however many health checks run, so that a flood of them cannot fill the database's queue.
const asked = shared<{ current?: Promise<CheckedDatabase> }>('health', () => ({}))

async function ask(): Promise<CheckedDatabase> {
  try {
    const db = await database()
    const began = performance.now()
    await db.run(PING, [])
    const ms = performance.now() - began
    return { status: db.trouble?.() === undefined ? 'ok' : 'refusing', ms }
  } catch (error) {
    return missed(error)
  }
}

/** Reports whether an error is Postgres's own answer, and not that it is being stopped, started or asked by too many. */
const isRefusal = (error: unknown): boolean => /^(?!08|53|57|58)[0-9PX][0-9A-Z]{4}$/.test(faultCode(error) ?? '')

/**
 * Returns what no response means: a remote server may recover by itself, but one that refuses statements, or an embedded database that
 * could not be opened (another process holds it, its files are damaged), leaves this process with nothing to serve.
 */
function missed(error?: unknown): CheckedDatabase {
  const isUnopened = env().databaseDriver === 'pglite' && openingFault() !== undefined
  if (isUnopened) return { status: 'unopened', ms: 0 }
  if (isRefusal(error)) return { status: 'refusing', ms: 0 }
  return { status: isMigrating() ? 'migrating' : 'unanswering', ms: 0 }
}

/** Returns for how many milliseconds the database may be waited for. */
function patience(): number {
  if (isOpened() || openingFault() !== undefined || isMigrating()) return PATIENCE_MS
  return Math.max(PATIENCE_MS, STARTING_MS - process.uptime() * 1_000)
}

function checkDatabase(): Promise<CheckedDatabase> {
  const health = asked()
  health.current ??= ask().finally(() => {
    delete health.current
  })
  return within(patience(), health.current, missed)
}

const checkDisk = (): Promise<boolean> => within(PATIENCE_MS, isDiskFull(writesTo(env())), () => false)

const STATUS = {
  ok: 'healthy',
  unanswering: 'degraded',
  migrating: 'degraded',
  refusing: 'unhealthy',
  unopened: 'unhealthy',
} as const satisfies Record<DatabaseCheck, string>

const DATABASE = {
  unanswering: 'the database does not answer',
  migrating: 'the database is being migrated',
  refusing: 'the database refuses statements, and the log says why',
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
  return `${said}: ${answered}${disk}, ${limits}, up ${roughly(seconds)}${lacking()}`
}

/** Returns whether what needs a secret of the settings is there. */
function switched() {
  const { tokenSecrets, authSecret } = env()
  return {
    pageTokens: tokenSecrets[0] === undefined ? 'off' : 'on',
    signIn: authSecret === undefined ? 'off' : 'on',
  } as const
}

/** Returns the end of the line: what is off for want of a secret. */
function lacking(): string {
  const { pageTokens, signIn } = switched()
  const off = [pageTokens === 'off' ? 'lists have one page' : '', signIn === 'off' ? 'sign-in is off' : '']
  return off
    .filter(Boolean)
    .map((each) => `; ${each}`)
    .join('')
}

const Health = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  summary: z.string().describe('The same in one line, for people'),
  timestamp: z.iso.datetime({ precision: 3 }),
  uptime_seconds: z.number(),
  version: z.string(),
  commit: z
    .string()
    .nullable()
    .describe('The commit that the service was built from; null where the build could not know it'),
  checks: z.object({
    database: z.object({
      status: z
        .enum(['ok', 'unanswering', 'migrating', 'refusing', 'unopened'])
        .describe(
          '`migrating`: requests wait for a migration; `refusing`: statements fail, such as behind a pooler that mixes them up; `unopened`: the embedded database cannot be used',
        ),
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
    page_tokens: z
      .object({ status: z.enum(['on', 'off']) })
      .describe('`off`: the server has no secret for page tokens, so lists have one page and there is no changes feed'),
    sign_in: z.object({ status: z.enum(['on', 'off']) }).describe('`off`: the server has no secret for sign-in'),
  }),
})

const EXAMPLE: z.output<typeof Health> = {
  status: 'healthy',
  summary: 'healthy: database 1 ms, limits in process, up 1 d',
  timestamp: '2026-11-20T08:30:00.000Z',
  uptime_seconds: 86400,
  version: SERVICE.version,
  commit: '9f2c1e4b7a6d5038c1f0e9d8b7a695847362514f',
  checks: {
    database: { status: 'ok' },
    disk: { status: 'ok' },
    limiter: { status: 'ok', store: 'process' },
    page_tokens: { status: 'on' },
    sign_in: { status: 'on' },
  },
}

/** Returns the service's health, within about {@link PATIENCE_MS} milliseconds, whatever the database does. */
export async function checkHealth(now: Date): Promise<z.output<typeof Health>> {
  const [checked, full] = await Promise.all([checkDatabase(), checkDisk()])
  const limiter = { ...limitStore(), ...(isCountingAlone() ? { alone: true as const } : {}) }
  const status = checked.status === 'ok' && (full || limiter.status !== 'ok') ? 'degraded' : STATUS[checked.status]
  const seconds = Math.floor(process.uptime())
  const { pageTokens, signIn } = switched()
  return {
    status,
    summary: summaryOf(status, checked, full, limiter, seconds),
    timestamp: now.toISOString(),
    uptime_seconds: seconds,
    version: SERVICE.version,
    commit: BUILD.commit,
    checks: {
      database: { status: checked.status },
      disk: { status: full ? 'full' : 'ok' },
      limiter,
      page_tokens: { status: pageTokens },
      sign_in: { status: signIn },
    },
  }
}

/** `GET /health`: whether the service works (specification 2.8). */
export const getHealth = defineOperation({
  name: 'get_health',
  title: 'Health',
  description:
    'Whether the service works: `healthy`; `degraded` while the database does not answer in time or is migrated, the disk is full or limits are not counted together; `unhealthy`, with status 503, when this process cannot serve at all.',
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
