import { Counter, Histogram, type Registry } from 'prom-client'

/** Upper bounds of the buckets, in seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** An operation's requests: by method and class of status, by how long they took, and all their seconds. */
type Operation = { methods: Map<string, number[]>; took: number[]; seconds: number }
type Operations = ReadonlyMap<string, Operation>

const zeros = (length: number): number[] => new Array<number>(length).fill(0)

function bucketOf(seconds: number): number {
  let bucket = 0
  while (seconds > (SECONDS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++
  return bucket
}

function addRequests(operations: Operations, registry: Registry): void {
  new Counter({
    name: 'plumbline_requests_total',
    help: 'Requests answered, by operation.',
    labelNames: ['operation', 'method', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [operation, { methods }] of operations)
        for (const [method, classes] of methods)
          for (const [status, count] of classes.entries())
            if (count > 0) this.inc({ operation, method, status: `${status}xx` }, count)
    },
  })
}

/** Buckets hold what is at most their bound, so each includes those before it. */
function seriesOf(name: string, [operation, { took, seconds }]: [string, Operation]) {
  const sharedLabels = { operation }
  let count = 0
  const buckets = took.map((more, bucket) => {
    count += more
    return { metricName: `${name}_bucket`, labels: { le: SECONDS[bucket] ?? '+Inf' }, sharedLabels, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: {}, sharedLabels, value: seconds },
    { metricName: `${name}_count`, labels: {}, sharedLabels, value: count },
  ]
}

const DURATIONS = {
  name: 'plumbline_request_duration_seconds',
  help: 'How long requests took, by operation.',
  labelNames: ['operation'] as const,
}

/** A histogram of what was counted elsewhere. */
class Durations extends Histogram<'operation'> {
  constructor(
    private readonly operations: Operations,
    registry: Registry,
  ) {
    super({ ...DURATIONS, buckets: SECONDS, registers: [registry] })
  }

  /** What the library makes its text and its `get` of. */
  getForPromString() {
    const { name, help } = DURATIONS
    const values = [...this.operations].flatMap((operation) => seriesOf(name, operation))
    return { name, help, type: 'histogram', values, aggregator: 'sum' }
  }
}

/**
 * Adds requests and their durations to a registry, and returns what counts one. The library would check and join the labels of each
 * request, so they are given to it when they are asked for.
 */
export function countRequestsIn(registry: Registry) {
  const operations = new Map<string, Operation>()
  addRequests(operations, registry)
  new Durations(operations, registry)
  return ({ endpoint, method, began }: { endpoint: string; method: string; began: number }, status: number): void => {
    let operation = operations.get(endpoint)
    if (!operation) {
      operation = { methods: new Map(), took: zeros(SECONDS.length + 1), seconds: 0 }
      operations.set(endpoint, operation)
    }
    const known = METHODS.has(method) ? method : 'other'
    let classes = operation.methods.get(known)
    if (!classes) {
      classes = zeros(6)
      operation.methods.set(known, classes)
    }
    const ofStatus = Math.floor(status / 100)
    classes[ofStatus] = (classes[ofStatus] ?? 0) + 1
    const seconds = (performance.now() - began) / 1000
    const bucket = bucketOf(seconds)
    operation.took[bucket] = (operation.took[bucket] ?? 0) + 1
    operation.seconds += seconds
  }
}
