import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { sql } from 'drizzle-orm'
import { type Database, rows, shareDatabase } from '@/db/client'
import { env, loadEnv } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { createPlumblineServer } from '@/lib/server/service-handler'
import { findRoute } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'

/** The treatment of a request on its way: it passes, is refused, or its answer is cut after some bytes; a function runs before it passes. */
export type Turn = 'pass' | 'slow-down' | 'unavailable' | 'redirect' | { cutAfter: number } | (() => Promise<unknown>)

const REFUSALS = {
  'slow-down': [429, { 'retry-after': '1' }],
  unavailable: [503, {}],
  redirect: [302, { location: 'http://127.0.0.1:9/elsewhere' }],
} as const

/** Passes a request on as it is, and its answer as it arrives, up to `most` bytes. */
function pass(upstream: URL, incoming: IncomingMessage, outgoing: ServerResponse, most: number): void {
  const { hostname, port } = upstream
  const headers = { ...incoming.headers, ...(most < Number.POSITIVE_INFINITY ? { 'accept-encoding': 'identity' } : {}) }
  const through = request({ hostname, port, path: incoming.url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    let sent = 0
    answer.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, most - sent)
      sent += part.length
      outgoing.write(part, () => {
        if (sent === most) outgoing.destroy()
      })
    })
    answer.on('end', () => outgoing.end())
  })
  outgoing.on('close', () => through.destroy())
  through.on('error', () => outgoing.destroy()).end()
}

/** The service on a port, over the database of the tests, with a proxy in front whose requests take the next turn that was planned for their path. */
export async function openService() {
  const db: Database = await openTestDatabase()
  shareDatabase(db)
  const server = createPlumblineServer(findRoute, (_, response) => response.end(), loadEnv())
  const upstream = new URL(`http://127.0.0.1:${await listenOnFreePort(server)}`)
  const planned: { path: string; turn: Turn }[] = []
  const passed: string[] = []
  const proxy = createServer(async (incoming, outgoing) => {
    const path = (incoming.url ?? '').replace('/api/v1', '')
    const at = planned.findIndex((each) => path.startsWith(each.path))
    const turn = at < 0 ? 'pass' : (planned.splice(at, 1)[0]?.turn ?? 'pass')
    passed.push(path)
    if (typeof turn === 'string' && turn !== 'pass') {
      const [status, headers] = REFUSALS[turn]
      outgoing.writeHead(status, headers).end('{"error":"Wait.","code":"of_a_test","requestId":"req_of_a_test"}')
      return
    }
    if (typeof turn === 'function') await turn()
    pass(upstream, incoming, outgoing, typeof turn === 'object' ? turn.cutAfter : Number.POSITIVE_INFINITY)
  })
  const port = await listenOnFreePort(proxy)
  return {
    db,
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    planned,
    passed,
    /** A contractor with books, and a key. */
    tenant: async (count: number) => {
      const tenant = await makeTenant(db)
      await tenant.load(sampleBooks(count))
      return { ...tenant, id: tenant.contractor.id, secret: (await tenant.key()).text }
    },
    close: async () => {
      for (const each of [proxy, server]) {
        each.closeAllConnections()
        each.close()
      }
      await db.close()
    },
  }
}
export type Service = Awaited<ReturnType<typeof openService>>

/** Deletes invoices of a contractor as the office does. @returns how many */
export async function deleteInvoices({ db }: Service, contractorId: string, like: string): Promise<number> {
  const gone = await rows<{ id: string }>(
    db.orm,
    sql`delete from analytics_invoice_records where contractor_id = ${contractorId} and source_reference like ${like} returning id`,
  )
  return gone.length
}

/** Deletes what the feed still has of a contractor, as after 90 days. */
export async function forgetChanges({ db }: Service, contractorId: string): Promise<void> {
  await db.orm.execute(sql`delete from changes where contractor_id = ${contractorId}`)
}

/** Runs work while the service has no secret for page tokens. */
export async function withoutPageTokens<T>(work: () => Promise<T>): Promise<T> {
  const { tokenSecrets } = env()
  Object.assign(env(), { tokenSecrets: [undefined, undefined] })
  return await work().finally(() => Object.assign(env(), { tokenSecrets }))
}
