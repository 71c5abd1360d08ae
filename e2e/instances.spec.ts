import { createServer, request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { listenOnFreePort } from '../lib/core/listen'
import { expect, get, test } from './fixtures'
import { ANA, countStatuses, post } from './lead'
import { connect, LIST, PING, send } from './mcp'
import { type Home, launch, makeHome, plumbline, type Running } from './running'
import { stockOf } from './stock'

// Two instances over one Postgres and one Redis, behind a proxy that alternates between them, as on the hosting platform.
let home: Home
let instances: Running[] = []
let proxy: { url: string; close(): void }

/** Starts a proxy that sends each request to the next target. */
async function openProxy(ports: number[]) {
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const port = ports[turn++ % ports.length]
    const onward = request({ host: 'localhost', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      void pipeline(answer, outgoing).catch(() => outgoing.destroy())
    })
    onward.on('error', () => outgoing.destroy())
    void pipeline(incoming, onward).catch(() => onward.destroy())
  })
  server.keepAliveTimeout = 65_000
  const port = await listenOnFreePort(server)
  return { url: `http://localhost:${port}`, close: () => void server.close().closeAllConnections() }
}

test.beforeAll(async ({ entry, driver }) => {
  test.setTimeout(120_000)
  home = await makeHome(driver, 'stocked')
  for (let i = 0; i < 2; i++) instances.push(await launch(entry, home, { RATE_LIMIT_LEADS: '1000000' }))
  for (const instance of instances) await instance.ready()
  proxy = await openProxy(instances.map(({ port }) => port))
})

test.afterAll(async () => {
  proxy.close()
  for (const instance of instances) await instance.end()
  await home.remove()
  instances = []
})

test('ten of twenty at once over both; headers count down over both', async () => {
  const { key } = stockOf('pg').spare
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => fetch(`${proxy.url}/api/v1/projects`, { headers: { 'x-api-key': key } })),
  )
  const allowed = answers.filter(({ status }) => status === 200)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  const left = allowed.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => b - a)
  expect(left).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
})

test('a session goes on over both; a revoked key is refused by both', async () => {
  const { id } = stockOf('pg').spare
  const made = plumbline(home, 'keys', 'create', '--contractor', id, '--name', 'e2e', '--preset', 'agent', '--json')
  const { id: keyId, key } = z.object({ id: z.string(), key: z.string() }).parse(JSON.parse(made.stdout))
  const session = await connect(proxy.url, key)
  for (let i = 0; i < 6; i++) {
    const { status, body } = await send(proxy.url, { key, headers: session, body: i % 2 ? PING : LIST })
    expect([status, body.error]).toEqual([200, undefined])
  }
  expect(plumbline(home, 'keys', 'revoke', keyId).status).toBe(0)
  const statuses = async () => {
    const asked = instances.map(({ url }) => send(url, { path: '/mcp/rpc', key, body: LIST }))
    return (await Promise.all(asked)).map(({ status }) => status)
  }
  await expect.poll(statuses, { intervals: [500] }).toEqual([401, 401])
  expect((await send(proxy.url, { key, headers: session, body: PING })).status).toBe(401)
})

// lib/http/rest/leads.db.test.ts sends a thousand to one process; here they come over the network, to both.
test('many leads at once with one externalId make one project, and different ones are numbered without gaps', async () => {
  const { key, leadKey } = stockOf('pg').spare
  const send = (externalId: string) => post(proxy.url, leadKey, { ...ANA, externalId })
  const same = await Promise.all(Array.from({ length: 200 }, () => send('one')))
  expect(countStatuses(same)).toEqual({ 200: 199, 201: 1 })
  expect(same.filter(({ body }) => body.duplicate === true)).toHaveLength(199)
  expect(new Set(same.map(({ body }) => body.projectId)).size).toBe(1)
  const different = await Promise.all(Array.from({ length: 40 }, (_, i) => send(`l${i}`)))
  expect(countStatuses(different)).toEqual({ 201: 40 })
  const numbers = different.map(({ body }) => body.jobNumber).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 40 }, (_, i) => i + 2))
  const { body } = await get({ url: proxy.url, key }, '/api/v1/customers')
  expect(body.items).toHaveLength(1)
})
