import { Counter, Histogram, type Registry } from 'prom-client'

/** Upper bounds of the buckets, in seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Adds requests and their durations to a registry, and returns what counts one. */
export function countRequestsIn(registry: Registry) {
  const requests = new Counter({
    name: 'plumbline_requests_total',
    help: 'Requests answered, by operation.',
    labelNames: ['operation', 'method', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'plumbline_request_duration_seconds',
    help: 'How long requests took, by operation.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers: [registry],
  })
  return ({ endpoint, method, began }: { endpoint: string; method: string; began: number }, status: number): void => {
    const known = METHODS.has(method) ? method : 'other'
    requests.inc({ operation: endpoint, method: known, status: `${Math.floor(status / 100)}xx` })
    durations.observe({ operation: endpoint }, (performance.now() - began) / 1000)
  }
}
