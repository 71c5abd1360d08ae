import { env } from '@/lib/core/env'
import { processWide } from '@/lib/core/shared'

/** A request to be traced, and its outcome once it has ended. */
export type Traced = {
  method: string
  url: string
  headers: { get(name: string): string | null }
}
export type TracedEnd = {
  requestId: string
  endpoint: string
  mcpMethod: string | undefined
  errorCode: string | undefined
  actor: { contractorId: string; keyId: string } | undefined
}

type Tracing = {
  request<R extends { status: number }>(request: Traced, answer: TracedEnd, work: () => Promise<R>): Promise<R>
  flush(): Promise<void>
}
const holder = processWide<{ tracing?: Tracing }>('tracing', () => ({}))

/** Starts tracing when a collector is configured; otherwise loads nothing of OpenTelemetry. Call before a database is opened. */
export async function startTracing(): Promise<void> {
  const { traces } = env()
  if (!traces || holder().tracing) return
  const { makeTracing } = await import('./spans')
  holder().tracing = makeTracing(traces.serviceName)
}

/** Runs a request's work in its own span while tracing is on. */
export function traced<R extends { status: number }>(
  request: Traced,
  answer: TracedEnd,
  work: () => Promise<R>,
): Promise<R> {
  const { tracing } = holder()
  return tracing === undefined ? work() : tracing.request(request, answer, work)
}

/** Sends pending spans to the collector; for the end of a process. */
export const tracesSent = async (): Promise<void> => holder().tracing?.flush()
