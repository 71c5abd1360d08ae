import { patiently } from '@/db/client'
import { countActiveSessions } from '@/db/queries/mcp-sessions'
import { shared } from '@/lib/core/shared'
import { checkHealth } from '@/lib/operations/health'

/** Values that change while the server runs. */
export type Live = { status: 'healthy' | 'degraded' | 'unhealthy'; uptimeSeconds: number; activeSessions: number }

const KEPT_MS = 10_000

const countSessions = (): Promise<number> => patiently(countActiveSessions)

/** Reads the service's health; if counting sessions fails, the rest is still reported. */
async function look(): Promise<Live> {
  const { status, uptime_seconds } = await checkHealth(new Date())
  const activeSessions = status === 'healthy' ? await countSessions().catch(() => 0) : 0
  return { status, uptimeSeconds: uptime_seconds, activeSessions }
}

/** The last values, and until when they are served. */
export type CachedLive = { until: number; live: Promise<Live> }
const kept = shared<{ current?: CachedLive }>('liveState', () => ({}))

/**
 * Returns the health, refreshed at most every ten seconds. Anyone may request it without a key, so it must not load the database,
 * and an unchanged value keeps its ETag.
 */
export function liveState(): Promise<Live> {
  const now = performance.now()
  const last = kept().current
  if (last && last.until > now) return last.live
  const live = look()
  kept().current = { until: now + KEPT_MS, live }
  return live
}
