import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { database } from '@/db/client'
import { countActiveSessions } from '@/db/queries/mcp-sessions'
import { within } from '@/lib/core/later'
import { BUILD, SERVICE } from '@/lib/core/service'
import { type Tallied, tallies } from '@/lib/core/tally'
import { type JobState, jobStates } from '@/lib/jobs/states'
import { limitStore } from '@/lib/limits/limiter'
import { POLICIES } from '@/lib/limits/policies'
import { countRequestsIn } from './request-counts'
import { requestLogState } from './request-log'

/** Gauges of the library with a counter's name; the same numbers exist without `_total`. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']
const OUTCOMES = ['created', 'duplicate', 'test', 'ignored', 'refused', 'failed']

/** The time a scrape waits for the database; after that the value is NaN. */
const TIMEOUT_MS = 250

const inTime = <T>(work: () => Promise<T>): Promise<T | undefined> =>
  within<T | undefined>(TIMEOUT_MS, work(), () => undefined).catch(() => undefined)

/** Adds a counter for tallied events. Every label value exists from the start, as `rate()` requires. */
function tallied(registers: Registry[], what: Tallied, name: string, help: string, label: string, kinds: string[]) {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers,
    collect() {
      this.reset()
      for (const kind of kinds) this.inc({ [label]: kind }, tallies(what).get(kind) ?? 0)
    },
  })
}

function addDatabase(registers: Registry[]): void {
  // The scrape's own statement begins once the pool has been looked at.
  let seen: Promise<unknown> = Promise.resolve()
  new Gauge({
    name: 'plumbline_database_pool',
    help: 'Open connections, idle connections, and statements waiting for a connection.',
    labelNames: ['state'],
    registers,
    async collect() {
      const looked = inTime(async () => (await database()).pool?.())
      seen = looked
      for (const [state, count] of Object.entries((await looked) ?? {})) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'plumbline_mcp_sessions',
    help: 'Active MCP sessions, in the database that all processes share.',
    registers,
    async collect() {
      await seen
      this.set((await inTime(async () => countActiveSessions((await database()).orm))) ?? Number.NaN)
    },
  })
}

/** Adds how each kind of background work stands, in the database that all processes share. */
function addWork(registers: Registry[]): void {
  const gauge = (name: string, help: string, read: (state: JobState) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['job'],
      registers,
      async collect() {
        this.reset()
        for (const state of (await inTime(() => jobStates())) ?? []) {
          const value = read(state)
          if (value !== undefined) this.set({ job: state.job }, value)
        }
      },
    })
  const seconds = (at: string | null) => (at === null ? undefined : Date.parse(at) / 1_000)
  gauge('plumbline_job_last_run_timestamp_seconds', 'When background work last ran.', ({ ranAt }) => seconds(ranAt))
  gauge('plumbline_job_last_success_timestamp_seconds', 'When background work last succeeded.', ({ succeededAt }) =>
    seconds(succeededAt),
  )
  gauge('plumbline_job_ok', '1 while background work runs in time and ends well, 0 otherwise.', ({ state }) =>
    state === 'pending' ? undefined : Number(state === 'ok'),
  )
  gauge('plumbline_job_waiting', 'What waits for background work.', ({ waiting }) => waiting ?? undefined)
}

function addState(registers: Registry[]): void {
  new Gauge({
    name: 'plumbline_limiter_store_info',
    help: 'Where requests are counted against their limits.',
    labelNames: ['store', 'status'],
    registers,
    collect() {
      this.reset()
      this.set({ ...limitStore() }, 1)
    },
  })
  new Gauge({
    name: 'plumbline_request_log_waiting',
    help: 'Requests that wait to be written to the request log.',
    registers,
    collect() {
      this.set(requestLogState().waiting)
    },
  })
  new Counter({
    name: 'plumbline_request_log_lost_total',
    help: 'Requests that the request log lost.',
    registers,
    collect() {
      this.reset()
      this.inc(requestLogState().lost)
    },
  })
  new Gauge({
    name: 'plumbline_build_info',
    help: 'The running version.',
    labelNames: ['version', 'commit', 'node'],
    registers,
  }).set({ version: SERVICE.version, commit: BUILD.commit ?? 'unknown', node: process.version }, 1)
}

/**
 * Creates this process's metrics, labeled with its worker number if there are several. Label values come from short lists, so there
 * are a few hundred series whatever the input.
 */
export function makeMetrics(workerSlot: number | undefined) {
  const registry = new Registry()
  const registers = [registry]
  if (workerSlot !== undefined) registry.setDefaultLabels({ worker: String(workerSlot) })
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const policies = [...Object.keys(POLICIES).filter((name) => name !== 'logged'), 'own']
  tallied(registers, 'limit refusals', 'plumbline_limit_refusals_total', 'Requests over a limit.', 'policy', policies)
  tallied(registers, 'leads', 'plumbline_leads_total', 'Leads by outcome.', 'outcome', OUTCOMES)
  addDatabase(registers)
  addWork(registers)
  addState(registers)
  return { registry, count: countRequestsIn(registry) }
}
