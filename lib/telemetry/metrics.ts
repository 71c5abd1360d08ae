import type { Registry } from 'prom-client'
import { env } from '@/lib/core/env'
import { part } from '@/lib/runtime/runtime'
import { gather } from '@/lib/server/workers/gather'

/** The text format of Prometheus. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A finished request with values from short lists only: the operation's name, never a path or an id. */
type Ended = { endpoint: string; method: string; began: number }

export type Metrics = { registry: Registry; count(ended: Ended, status: number): void }
/** Holds the process's metrics once they are started. */
export const metricsHolder = part('metrics', () => ({}))

/** Counts and times a finished request; does nothing while metrics are off. */
export function countRequest(ended: Ended, status: number): void {
  metricsHolder().current?.count(ended, status)
}

/** Merges the texts of several processes: the description of a metric appears once, above all of its series. */
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
 * Returns all metrics in the text format of Prometheus. Each of several workers has its own series, labeled `worker`, so a restarted
 * worker resets only its own counters, which `rate()` handles.
 */
export async function metricsText(): Promise<string> {
  const own = metricsHolder().current?.registry
  if (!own) return ''
  if (env().workerSlot === undefined) return own.metrics()
  const texts = await gather()
  return mergeTexts(texts.filter((text) => typeof text === 'string'))
}
