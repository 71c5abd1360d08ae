import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { PRESETS } from '@/lib/auth/scopes'
import { serviceRequest } from '@/lib/http/request'
import { findRoute } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const REPORT = { method: 'tools/call', params: { name: 'get_cash_flow', arguments: {} } }

/** Runs work while nobody can read invoices. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  await db.orm.transaction(async (tx) => {
    await tx.execute(sql`lock table analytics_invoice_records in access exclusive mode`)
    await work()
  })
}

/** Returns the statements that wait for the invoices. */
const waiting = () =>
  rows(db.orm, sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)

// The embedded database runs one statement at a time, in this process.
describe.runIf(process.env.TEST_DRIVER === 'pg')('a report that waits in the database', () => {
  test('tools/call: its statement ends once the client of the session cancels it', async () => {
    const { text: key } = await (await makeTenant(db)).key(PRESETS.agent.scopes)
    const post = (message: object, session: Record<string, string> = {}) => {
      const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...session }
      return call('/mcp', { key, method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
    }
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const { headers } = await post({ id: 0, method: 'initialize', params })
    const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' }
    await whileLocked(async () => {
      const called = post({ id: 5, ...REPORT }, session)
      await expect.poll(waiting, { interval: 10, timeout: 20_000 }).toHaveLength(1)
      await post({ method: 'notifications/cancelled', params: { requestId: 5 } }, session)
      await expect.poll(waiting).toEqual([])
      expect((await called).status).toBe(202)
    })
    expect((await post({ id: 6, ...REPORT }, session)).text).toContain('paidWithoutRecord')
  })

  test('POST /mcp/rpc: its statement ends once the connection is closed', async () => {
    const { text: key } = await (await makeTenant(db)).key(PRESETS.agent.scopes)
    const url = new URL('http://localhost/mcp/rpc')
    const leaving = new AbortController()
    const request = new Request(url, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...REPORT }),
      signal: leaving.signal,
    })
    const answer = await findRoute(url.pathname)
    await whileLocked(async () => {
      const called = answer?.(serviceRequest(request))
      await expect.poll(waiting, { interval: 10, timeout: 20_000 }).toHaveLength(1)
      leaving.abort()
      await expect.poll(waiting).toEqual([])
      await called
    })
  })
})
