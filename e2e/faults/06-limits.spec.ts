import { pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { makeKey } from '../fixtures'
import { ANA, post } from '../lead'
import { LIST, send } from '../mcp'
import { type Home, launch, makeHome, plumbline, type Running } from '../running'
import { report } from './own-postgres'

const CLOCK = pathToFileURL('e2e/faults/clock.mjs').href
const HOUR_MS = 3_600_000

type Answer = { status: number; headers: Headers }
type Scene = { running: Running; agent: string; leadKey: string }

const search = (query: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'rag.search', arguments: { query } },
})

/** The documented limits per minute (specification 2.5), each with a request that counts toward it. */
const LIMITS: { what: string; limit: number; ask(scene: Scene, i: number): Promise<Answer> }[] = [
  {
    what: 'data API',
    limit: 10,
    ask: ({ running, agent }) => fetch(`${running.url}/api/v1/customers`, { headers: { 'x-api-key': agent } }),
  },
  {
    what: 'leads',
    limit: 60,
    ask: ({ running, leadKey }, i) => post(running.url, leadKey, { ...ANA, externalId: `limit-${i}` }),
  },
  {
    what: 'search',
    limit: 50,
    ask: ({ running, agent }) => send(running.url, { path: '/mcp/rpc', key: agent, body: search('roof') }),
  },
  {
    what: 'MCP',
    limit: 100,
    ask: ({ running, agent }) => send(running.url, { path: '/mcp/rpc', key: agent, body: LIST }),
  },
]

async function withServer(env: Record<string, string>, run: (scene: Scene) => Promise<void>): Promise<void> {
  const home: Home = await makeHome('pglite')
  const { id } = JSON.parse(plumbline(home, 'contractors', 'create', 'Limits', '--json').stdout)
  const keys = { agent: await makeKey(home, id, 'agent'), leadKey: await makeKey(home, id, 'lead-source') }
  const running = await launch('server', home, env)
  try {
    await run({ running: await running.ready(), ...keys })
  } finally {
    await running.end()
    await home.remove()
  }
}

/** The server's current time, in seconds. */
const serverSeconds = async ({ running }: Scene) =>
  Date.parse((await (await fetch(`${running.url}/health`)).json()).timestamp) / 1000

/** Checks a response's limit headers against the server's clock, read before and after the request. */
function requireSane({ status, headers }: Answer, limit: number, [before, after]: [number, number]): void {
  const told = (name: string) => Number(headers.get(name) ?? Number.NaN)
  expect(told('x-ratelimit-limit')).toBe(limit)
  const reset = told('x-ratelimit-reset')
  expect(Number.isInteger(reset)).toBe(true)
  expect(reset).toBeGreaterThanOrEqual(Math.floor(Math.min(before, after)))
  expect(reset).toBeLessThanOrEqual(Math.max(before, after) + 61)
  if (status !== 429) return
  expect(told('x-ratelimit-remaining')).toBe(0)
  expect(told('retry-after')).toBeGreaterThanOrEqual(1)
  expect(told('retry-after')).toBeLessThanOrEqual(60)
}

test('all four limits let in exactly what is documented, of a burst', async () => {
  for (const { what, limit, ask } of LIMITS)
    await withServer({}, async (scene) => {
      const before = await serverSeconds(scene)
      const answers = await Promise.all(Array.from({ length: limit + 20 }, (_, i) => ask(scene, i)))
      const after = await serverSeconds(scene)
      for (const answer of answers) requireSane(answer, limit, [before, after])
      const of = (wanted: (status: number) => boolean) => answers.filter(({ status }) => wanted(status)).length
      report(6, `limit of ${what}`, [
        { what: 'let in', value: of((status) => status < 300), unit: `of ${limit + 20}`, exactly: limit },
        { what: '429', value: of((status) => status === 429), exactly: 20 },
      ])
    })
})

const CLOCKS: [string, string][] = [
  ['two hours ahead', String(2 * HOUR_MS)],
  ['two hours behind', String(-2 * HOUR_MS)],
  ['a day ahead', String(24 * HOUR_MS)],
  ['a day behind', String(-24 * HOUR_MS)],
  ['running backwards', 'backwards'],
]

for (const [what, fault] of CLOCKS)
  test(`a clock that is ${what} from the middle of a minute on changes nothing but the moment that is told`, async () => {
    await withServer({ NODE_OPTIONS: `--import=${CLOCK}`, FAULT_CLOCK_MS: fault }, async (scene) => {
      const [data] = LIMITS
      if (!data) throw new Error('there are limits')
      let allowed = 0
      for (let i = 0; i < 15; i++) {
        if (i === 5) {
          scene.running.process.kill('SIGUSR2')
          const isOff = async () =>
            Math.abs((await serverSeconds(scene)) - Date.now() / 1000) > (fault === 'backwards' ? 0.2 : 3_000)
          await expect.poll(isOff, { timeout: 10_000 }).toBe(true)
        }
        const before = await serverSeconds(scene)
        const answer = await data.ask(scene, i)
        requireSane(answer, data.limit, [before, await serverSeconds(scene)])
        expect([200, 429]).toContain(answer.status)
        if (answer.status === 200) allowed++
      }
      report(6, `clock ${what}`, [{ what: 'let in', value: allowed, unit: 'of 15', exactly: data.limit }])
    })
  })
