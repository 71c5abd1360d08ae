import type { Registry } from 'prom-client'
import { env } from '@/lib/core/env'
import { processWide } from '@/lib/core/shared'
import { gather, tellWhenAsked } from '@/lib/server/workers/gather'

/** The text format of Prometheus. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A request as it ended, in words of short lists only: the operation's name, never a path or an id. */
type Ended = { endpoint: string; method: string; began: number }

type Metrics = { registry: Registry; count(ended: Ended, status: number): void }
const holder = processWide<{ metrics?: Metrics }>('metrics', () => ({}))

/** Begins to count, where a token says that somebody will ask; otherwise nothing is loaded. */
export async function startMetrics(): Promise<void> {
  const { metricsToken, workerSlot } = env()
  if (metricsToken === undefined || holder().metrics) return
  const { makeMetrics } = await import('./registry')
  const metrics = makeMetrics(workerSlot)
  holder().metrics = metrics
  if (workerSlot !== undefined) tellWhenAsked(() => metrics.registry.metrics())
}

/** Counts and times a request that has ended; nothing where metrics are off. */
export function countRequest(ended: Ended, status: number): void {
  holder().metrics?.count(ended, status)
}

/** Texts of several processes as one: what is known of a metric stands once, above the series of all. */
export function mergeTexts(texts: string[]): string {
  const merged = new Map<string, string[]>()
  for (const block of texts.flatMap((text) => text.trimEnd().split('\n\n'))) {
    const [help = '', type = '', ...series] = block.split('\n')
    const head = `${help}\n${type}`
    merged.set(head, [...(merged.get(head) ?? []), ...series])
  }
  return `${[...merged].map(([head, series]) => [head, ...series].join('\n')).join('\n\n')}\n`
}

/**
 * Everything that is counted, in the text format of Prometheus. Of several workers each has series of its own, labelled `worker`: one that
 * is started anew resets its own counters only, which is what `rate()` understands.
 */
export async function metricsText(): Promise<string> {
  const own = holder().metrics?.registry
  if (!own) return ''
  if (env().workerSlot === undefined) return own.metrics()
  const texts = await gather()
  return mergeTexts(texts.filter((text) => typeof text === 'string'))
}
