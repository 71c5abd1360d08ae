import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { PRESETS } from '@/lib/auth/scopes'
import { runCommand } from '@/lib/cli/run'
import { env } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { execute } from '@/lib/operations/execute'
import { createKey } from '@/lib/operations/keys/create-key'
import { createPlumblineServer } from '@/lib/server/service-handler'
import { requestsLogged } from '@/lib/telemetry/request-log'
import { startRequestLog } from '@/lib/telemetry/start'
import { openTestDatabase } from '@/lib/testing/database'
import { passedBy } from '@/lib/testing/passed'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { findRoute } from './testing/answer-of'
import { forgetRuntime } from './testing/runtime'
import { walkOf } from './testing/sources'

let db: Database
let server: Server
let port = 0
let tenant: Awaited<ReturnType<typeof makeTenant>>
beforeAll(async () => {
  // In tests, the text of each statement is made again and compared.
  forgetRuntime('server')
  process.env.REQUEST_LOG_DAYS = '1'
  db = await openTestDatabase()
  shareDatabase(db)
  startRequestLog()
  tenant = await makeTenant(db)
  await tenant.load(sampleBooks(20))
  server = createPlumblineServer(findRoute, () => {}, env())
  port = await listenOnFreePort(server)
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await requestsLogged()
  await db.close()
})

async function send(path: string, headers: Record<string, string>, body?: object): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  await response.text()
  return response
}

const GROUND = /^(lib\/core|db\/schema|db\/drivers)\/|^db\/(client|fence|shared|statements)\.ts$/
/** The files that begin the server, the browser and Next, which are not run here. */
const UNMEASURED = /^(instrumentation\.ts|app\/|lib\/cli\/main\.ts)/

/** What the server does every ten seconds, whatever is asked. */
const TIMED = /^lib\/server\/stalled\.ts$/

/** Does some work until it is warm, then compares the files it passes with the walk. */
async function compare(title: string, work: () => Promise<unknown>, expected: unknown): Promise<void> {
  for (let i = 0; i < 2; i++) expect(await work()).toEqual(expected)
  // What earlier requests left to be logged would be counted here.
  await requestsLogged()
  const passed = await passedBy(work)
  const { files, asked } = walkOf(title)
  const unlisted = [...passed].filter(
    (file) => !GROUND.test(file) && !TIMED.test(file) && ![...files, ...asked].includes(file),
  )
  const unpassed = files.filter((file) => !UNMEASURED.test(file) && !passed.has(file))
  expect({ unlisted, unpassed }).toEqual({ unlisted: [], unpassed: [] })
}

test('one GET passes the files of its walk', async () => {
  const { text: key } = await tenant.key()
  let limit = 5
  // An address that was asked for before, in this file or another, is not parsed again.
  const address = () => `/api/v1/invoices?contractorId=${tenant.contractor.id}&limit=${limit++}`
  const get = async () => (await send(address(), { 'x-api-key': key })).status
  await compare('One GET', get, 200)
})

test('one tool call passes the files of its walk', async () => {
  const { text: key } = await tenant.key()
  const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'walk', version: '1' } }
  const opened = await send('/mcp', { 'x-api-key': key }, message('initialize', hello))
  const session = {
    'x-api-key': key,
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  }
  const call = message('tools/call', { name: 'list_invoices', arguments: { limit: 5 } })
  await compare('One tool call', async () => (await send('/mcp', session, call)).status, 200)
})

test('one lead passes the files of its walk', async () => {
  const { text: key } = await tenant.key(PRESETS['lead-source'].scopes)
  const lead = { firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142', leadSource: 'Google Ads' }
  const post = async () => (await send('/api/webhooks/leads/inbound', { 'x-api-key': key }, lead)).status
  await compare('One lead', post, 201)
})

test('one key creation passes the files of its walk', async () => {
  const make = () =>
    execute(createKey, { actor: tenant.operator, now: new Date() }, { name: 'walk', preset: 'integration' })
  await compare('One key creation', make, expect.objectContaining({ secret: expect.stringMatching(/^plb_/) }))
})

test('one load passes the files of its walk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-walk-'))
  let count = 0
  const load = () => {
    writeFileSync(join(folder, 'customers.csv'), `Customer ID,Name,Email\nW${++count},Ana,ana@example.com\n`)
    const io = { cwd: folder, out: () => {}, err: () => {} }
    return runCommand(['load', '--contractor', tenant.contractor.id, folder], io)
  }
  await compare('One load', load, 0)
  rmSync(folder, { recursive: true })
})
