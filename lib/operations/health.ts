import { z } from 'zod'
import { database } from '@/db/client'
import { SERVICE } from '@/lib/core/service'
import { defineOperation } from './define'

/** A health answer must come at once, above all when the database does not. */
const PATIENCE_MS = 150
const PING = { name: 'plumbline_ping', text: 'select 1 as one' }

async function databaseAnswers(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<boolean>((done) => {
    timer = setTimeout(done, PATIENCE_MS, false)
  })
  const answer = database()
    .then((db) => db.run(PING, []))
    .then(() => true)
    .catch(() => false)
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer))
}

/** `GET /health`: whether the service works (specification 2.8). `degraded`: it runs, but the database does not answer. */
export const getHealth = defineOperation({
  name: 'get_health',
  title: 'Health',
  description: 'Whether the service works: `healthy`, or `degraded` while the database does not answer in time.',
  access: 'public',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    status: z.enum(['healthy', 'degraded', 'unhealthy']),
    timestamp: z.iso.datetime({ precision: 3 }),
    uptime_seconds: z.number(),
    version: z.string(),
  }),
  example: {
    status: 'healthy',
    timestamp: '2026-11-20T08:30:00.000Z',
    uptime_seconds: 86400,
    version: SERVICE.version,
  },
  http: { method: 'GET', path: '/health', at: 'root' },
  run: async ({ now }) => ({
    status: (await databaseAnswers()) ? ('healthy' as const) : ('degraded' as const),
    timestamp: now.toISOString(),
    uptime_seconds: Math.floor(process.uptime()),
    version: SERVICE.version,
  }),
})
