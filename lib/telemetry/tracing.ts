import { shared } from '@/lib/core/shared'

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
  countsAs(status: number): number
}

export type Tracing = {
  request<R extends { status: number }>(request: Traced, answer: TracedEnd, work: () => Promise<R>): Promise<R>
  flush(): Promise<void>
}
/** Holds the process's tracing once it is started. */
export const tracingHolder = shared<{ current?: Tracing }>('tracing', () => ({}))

/** Runs a request's work in its own span while tracing is on. */
export function traced<R extends { status: number }>(
  request: Traced,
  answer: TracedEnd,
  work: () => Promise<R>,
): Promise<R> {
  const { current: tracing } = tracingHolder()
  return tracing === undefined ? work() : tracing.request(request, answer, work)
}

/** Sends pending spans to the collector; for the end of a process. */
export const tracesSent = async (): Promise<void> => tracingHolder().current?.flush()
