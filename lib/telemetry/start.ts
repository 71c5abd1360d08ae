import { env } from '@/lib/core/env'
import { logFault } from '@/lib/core/log'
import { shareWithWorkers } from './gather'
import { metricsHolder } from './metrics'
import { writeRowsWith } from './request-log'
import { tracingHolder } from './tracing'

/** Starts writing the request log to the database. What writes it is loaded with the first batch. */
export function startRequestLog(): void {
  writeRowsWith(async (batch) => {
    const { writeBatch } = await import('./write-batch')
    await writeBatch(batch).catch((fault) => {
      logFault({ operation: 'request log' }, fault)
      throw fault
    })
  })
}

/** Starts tracing when a collector is configured; otherwise loads nothing of OpenTelemetry. Call before a database is opened. */
async function startTracing(): Promise<void> {
  const { traces } = env()
  if (!traces || tracingHolder().current) return
  const { makeTracing } = await import('./spans')
  tracingHolder().current = makeTracing(traces.serviceName)
}

/** Starts counting when a metrics token is set; otherwise loads nothing. */
export async function startMetrics(): Promise<void> {
  const { metricsToken, workerSlot } = env()
  if (metricsToken === undefined || metricsHolder().current) return
  const { makeMetrics } = await import('./registry')
  const metrics = makeMetrics(workerSlot)
  metricsHolder().current = metrics
  if (workerSlot !== undefined) shareWithWorkers(() => metrics.registry.getMetricsAsJSON())
}

/** Starts the request log, traces and metrics; an entry calls it before its first request. */
export async function startTelemetry(): Promise<void> {
  startRequestLog()
  await startTracing()
  await startMetrics()
}
