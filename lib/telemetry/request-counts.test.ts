import { Counter, Histogram, Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import { countRequestsIn } from './request-counts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const REQUESTS: [endpoint: string, method: string, status: number, ms: number][] = [
  ['list_invoices', 'GET', 200, 0.4],
  ['list_invoices', 'GET', 304, 1],
  ['list_invoices', 'GET', 200, 1.01],
  ['list_invoices', 'HEAD', 200, 26],
  ['list_invoices', 'PURGE', 405, 3],
  ['receive_lead', 'POST', 503, 9_999],
  ['receive_lead', 'POST', 503, 10_001],
]

const NOW = 50_000

const linesOf = (text: string) => text.split('\n').sort()

test('the text is what the library gives when it counts each request itself', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(NOW)
  const [ours, theirs] = [new Registry(), new Registry()]
  for (const registry of [ours, theirs]) registry.setDefaultLabels({ worker: '1' })
  const count = countRequestsIn(ours)
  const requests = new Counter({
    name: 'plumbline_requests_total',
    help: 'Requests answered, by operation.',
    labelNames: ['operation', 'method', 'status'],
    registers: [theirs],
  })
  const durations = new Histogram({
    name: 'plumbline_request_duration_seconds',
    help: 'How long requests took, by operation.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers: [theirs],
  })
  for (const [endpoint, method, status, ms] of REQUESTS) {
    const began = NOW - ms
    count({ endpoint, method, began }, status)
    requests.inc({
      operation: endpoint,
      method: method === 'PURGE' ? 'other' : method,
      status: `${Math.floor(status / 100)}xx`,
    })
    durations.observe({ operation: endpoint }, (NOW - began) / 1000)
  }
  expect(linesOf(await ours.metrics())).toEqual(linesOf(await theirs.metrics()))
  expect(await ours.getMetricsAsJSON()).toHaveLength(2)
})
