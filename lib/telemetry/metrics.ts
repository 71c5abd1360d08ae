import type { Registry } from 'prom-client'
import { env } from '@/lib/core/env'
import { shared } from '@/lib/core/shared'
import { gather } from './gather'

/** The text format of Prometheus. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A finished request with values from short lists only: the operation's name, never a path or an id. */
type Ended = { endpoint: string; method: string; began: number }

export type Metrics = { registry: Registry; count(ended: Ended, status: number): void }
/** Holds the process's metrics once they are started. */
export const metricsHolder = shared<{ current?: Metrics }>('metrics', () => ({}))

/** Counts and times a finished request; does nothing while metrics are off. */
export function countRequest(ended: Ended, status: number): void {
  metricsHolder().current?.count(ended, status)
}

/**
 * Returns all metrics in the text format of Prometheus. Each of several workers has its own series, labeled `worker`, so a restarted
 * worker resets only its own counters, which `rate()` handles.
 */
export async function metricsText(): Promise<string> {
  const own = metricsHolder().current?.registry
  if (!own) return ''
  if (env().workerSlot === undefined) return own.metrics()
  const { AggregatorRegistry } = await import('prom-client')
  const ofWorkers = (await gather()).filter((metrics) => Array.isArray(metrics))
  // Its series differ by their worker, so nothing is added up, and nothing is left out that could not be.
  return AggregatorRegistry.aggregate(
    ofWorkers.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: 'first' }))),
  ).metrics()
}
