import { get, type IncomingMessage, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { RATE_LIMIT_DATA_API: '1000' }))

import { type Database, shareDatabase } from '@/db/client'
import { env } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { ADDRESS_HEADER } from '@/lib/http/address'
import { route } from '@/lib/http/rest/route'
import { operations } from '@/lib/operations/registry'
import { WAITERS } from '@/lib/sync/waiters'
import { findRoute } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { createPlumblineServer } from './service-handler'

let db: Database
let server: Server
let port = 0
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
  server = createPlumblineServer(findRoute, (_, response) => response.end(), env())
  port = await listenOnFreePort(server)
})
afterAll(async () => {
  server.close().closeAllConnections()
  await db.close()
})

/** Asks for changes until `signal` is aborted, which closes the connection. Resolves with the status. */
type Ask = (path: string, key: string, signal?: AbortSignal) => Promise<number>

const overServer: Ask = async (path, key, signal) => {
  const response = await new Promise<IncomingMessage>((done, fail) =>
    get(
      { host: '127.0.0.1', port, path, headers: { 'x-api-key': key }, agent: false, ...(signal && { signal }) },
      done,
    ).on('error', fail),
  )
  response.resume()
  return response.statusCode ?? 0
}

/** Asks as Next calls a route file: the request's signal is aborted when the connection closes (its `signalFromNodeResponse`). */
const overRouteFile: Ask = async (path, key, signal) => {
  const headers = { 'x-api-key': key, [ADDRESS_HEADER]: '10.1.2.3' }
  const request = new Request(`http://localhost${path}`, { headers, ...(signal && { signal }) })
  return (await route(operations.listChanges).GET(request)).status
}

test.each([
  ['the server', overServer],
  ['a route file', overRouteFile],
])('%s: a client that goes away gives its place to wait for changes back at once', async (_, ask) => {
  const tenant = await makeTenant(db)
  const { text: key } = await tenant.key()
  const began = await fetch(`http://127.0.0.1:${port}/api/v1/changes`, { headers: { 'x-api-key': key } })
  const { cursor } = await began.json()
  const path = (wait: number) => `/api/v1/changes?cursor=${cursor}&wait=${wait}`
  const clients = Array.from({ length: WAITERS.ofKey + 1 }, () => new AbortController())
  const waiting = clients.map(({ signal }) => ask(path(25), key, signal).catch(() => 'gone'))
  // The one for which no place is left is answered first.
  expect(await Promise.race(waiting)).toBe(429)
  expect(await ask(path(25), key)).toBe(429)
  for (const client of clients.slice(0, 2)) client.abort()
  await expect.poll(() => ask(path(1), key), { timeout: 5_000 }).toBe(200)
  for (const client of clients) client.abort()
  await Promise.all(waiting)
})
