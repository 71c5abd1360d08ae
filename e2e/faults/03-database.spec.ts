import { expect, test } from '@playwright/test'
import { Client } from 'pg'
import { makeContractor } from '../fixtures'
import { ANA, post, UNLIMITED } from '../lead'
import { ACCEPT, hello } from '../mcp'
import { type Entry, type Home, launch, type Running } from '../running'
import { msUntil, needsOwnPostgres, OwnPostgres, report, timed } from './own-postgres'

const ANSWERED_MS = 3_000
const BACK_MS = 5_000
const HEALTH_WHILE_FROZEN_MS = 200
/** The limit for /health when the database is killed: every request in progress fails in the same instant, and /health waits behind them. */
const HEALTH_WHEN_KILLED_MS = 500
const LEADS = 40

type Scene = { postgres: OwnPostgres; home: Home; running: Running; key: string; leadKey: string }

async function withServer(entry: Entry, run: (scene: Scene) => Promise<void>): Promise<void> {
  const postgres = await OwnPostgres.start()
  const home = await postgres.makeHome()
  const { key, leadKey } = await makeContractor(home, 'Faults')
  const running = await launch(entry, home, { ...UNLIMITED, RATE_LIMIT_MCP: '1000000', RATE_LIMIT_SIGN_IN: '1000000' })
  try {
    await running.ready()
    await run({ postgres, home, running, key, leadKey })
  } finally {
    postgres.signal('SIGCONT')
    await running.end()
    await postgres.remove()
    await home.remove()
  }
}

const sendLead = ({ running, leadKey }: Scene, i: number) =>
  post(running.url, leadKey, { ...ANA, externalId: `fault-${i}` })

/** Returns other ways to use the database: named statements, and Drizzle's transactions. */
function others({ running: { url }, key, leadKey }: Scene) {
  const json = (path: string, secret: string, body: object, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...ACCEPT, 'x-api-key': secret, ...headers },
    })
  return {
    list: () => fetch(`${url}/api/v1/invoices`, { headers: { 'x-api-key': key } }),
    record: () => fetch(`${url}/api/v1/projects/prj_none`, { headers: { 'x-api-key': key } }),
    'refused lead': () => json('/api/webhooks/leads/inbound', leadKey, { firstName: 'Bo' }),
    'session of MCP': () => json('/mcp', key, hello()),
    'tool of MCP': () =>
      json('/mcp/rpc', key, {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_invoices', arguments: {} },
      }),
  }
}

/** Sends one request and checks the promised answer: a JSON error, in time. */
async function refused(what: string, send: () => Promise<Response>): Promise<number> {
  const { value, ms } = await timed(async () => {
    const answer = await send()
    return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() }
  })
  // A lead with errors is rejected for them, whether or not its delivery could be stored.
  expect.soft(value.status, `${what}: ${value.body}`).toBeGreaterThanOrEqual(what === 'refused lead' ? 400 : 500)
  expect.soft(value.type, what).toContain('application/json')
  expect.soft(() => JSON.parse(value.body), what).not.toThrow()
  console.log(`  ${what}: ${value.status} after ${Math.round(ms)} ms`)
  return ms
}

const health = async ({ running }: Scene) => (await fetch(`${running.url}/health`)).json()

/**
 * Sends everything once before the fault, so that keys are cached and code is loaded, and the fault hits each path at its database
 * call.
 */
async function warm(scene: Scene): Promise<void> {
  // Twice, because the second time opens connections for all requests at once, which are then idle. Keys stay cached for some
  // seconds.
  for (let i = 0; i < 2; i++) {
    const asked = Object.entries(others(scene)).map(async ([what, send]) =>
      expect((await send()).status, what).toBeLessThan(500),
    )
    await Promise.all([sendLead(scene, 0), ...asked])
  }
}

/** Returns the slowest of ten health responses, each of which must report the problem. */
async function slowestHealth(scene: Scene): Promise<number> {
  const taken: number[] = []
  for (let i = 0; i < 10; i++) {
    const { value, ms } = await timed(() => health(scene))
    expect(value).toMatchObject({ status: 'degraded', checks: { database: { status: 'unanswering' } } })
    taken.push(ms)
  }
  return Math.max(...taken)
}

const isBack = async (scene: Scene) =>
  (await health(scene)).status === 'healthy' && [200, 201].includes((await sendLead(scene, 0)).status)

/** Sends all leads again, then counts: each must be exactly one project, and there must be no others. */
async function countWhole(scene: Scene): Promise<number> {
  for (let i = 0; i < LEADS; i++) expect([200, 201]).toContain((await sendLead(scene, i)).status)
  const [row] = await scene.postgres.ask(`select
    (select count(*)::int from projects) as projects, (select count(*)::int from leads) as leads,
    (select count(*)::int from projects p left join leads l on l.project_id = p.id where l.project_id is null) as torn,
    (select last::int from job_counters) as numbered`)
  expect(row).toEqual({ projects: LEADS, leads: LEADS, torn: 0, numbered: LEADS })
  return Number(row?.torn)
}

/** Sends leads that wait for a database lock, so that the fault happens while they are in progress. */
async function heldLeads(scene: Scene) {
  await warm(scene)
  const holder = new Client({ connectionString: scene.postgres.url })
  holder.on('error', () => {})
  await holder.connect()
  await holder.query('begin; lock table leads')
  const began = performance.now()
  const answers = Array.from({ length: LEADS - 1 }, (_, i) =>
    timed(() => sendLead(scene, i + 1)).catch((error) => ({ value: { status: 0, body: String(error) }, ms: 0 })),
  )
  await msUntil(async () => {
    const waiting = await scene.postgres.ask(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`)
    return waiting.length > 0
  })
  return { answers: Promise.all(answers), began }
}

test.beforeEach(needsOwnPostgres)

for (const entry of ['server', 'next'] as const) {
  test(`${entry}: the database killed in the middle of requests: errors in time, nothing half written, all works again`, async () => {
    await withServer(entry, async (scene) => {
      const { answers } = await heldLeads(scene)
      await scene.postgres.kill()
      const after = Object.entries(others(scene)).map(([what, send]) => refused(what, send))
      const slowHealth = await slowestHealth(scene)
      const times = await Promise.all(after)
      for (const { value, ms } of await answers) {
        expect(value.status, JSON.stringify(value.body)).toBeGreaterThanOrEqual(500)
        times.push(ms)
      }
      expect(scene.running.process.exitCode).toBeNull()
      await scene.postgres.run()
      const back = await msUntil(() => isBack(scene))
      report(3, `database killed mid-request (${entry})`, [
        { what: 'answered in', value: Math.max(...times), unit: 'ms', bound: ANSWERED_MS },
        { what: '/health in', value: slowHealth, unit: 'ms', bound: HEALTH_WHEN_KILLED_MS },
        { what: 'back after', value: back, unit: 'ms', bound: BACK_MS },
        { what: 'half writes', value: await countWhole(scene), exactly: 0 },
      ])
    })
  })

  test(`${entry}: the database frozen: errors in time, health tells of it, nothing half written, all works again`, async () => {
    await withServer(entry, async (scene) => {
      await warm(scene)
      scene.postgres.signal('SIGSTOP')
      // These go first and get the open connections, which no longer answer.
      const after = Object.entries(others(scene)).map(([what, send]) => refused(what, send))
      const leads = Array.from({ length: LEADS - 1 }, (_, i) => timed(() => sendLead(scene, i + 1)))
      const slowHealth = await slowestHealth(scene)
      const times = await Promise.all(after)
      for (const { value, ms } of await Promise.all(leads)) {
        expect(value.status, JSON.stringify(value.body)).toBeGreaterThanOrEqual(500)
        times.push(ms)
      }
      expect(scene.running.process.exitCode).toBeNull()
      scene.postgres.signal('SIGCONT')
      const back = await msUntil(() => isBack(scene))
      report(3, `database frozen (${entry})`, [
        { what: 'answered in', value: Math.max(...times), unit: 'ms', bound: ANSWERED_MS },
        { what: '/health in', value: slowHealth, unit: 'ms', bound: HEALTH_WHILE_FROZEN_MS },
        { what: 'back after', value: back, unit: 'ms', bound: BACK_MS },
        { what: 'half writes', value: await countWhole(scene), exactly: 0 },
      ])
    })
  })
}
