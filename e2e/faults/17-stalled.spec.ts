import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect, test } from '@playwright/test'
import { Client } from 'pg'
import { makeInvoices } from '../../bench/books'
import { openDatabase } from '../../db/client'
import { loadEnv } from '../../lib/core/env'
import { EXPORTS } from '../../lib/operations/exports/export-records'
import { get, makeKey } from '../fixtures'
import { UNLIMITED } from '../lead'
import { type Driver, type Entry, launch, makeHome, type Running } from '../running'
import { msUntil, report, timed } from './own-postgres'

/** Invoices for about 80 MB of JSON, more than sockets hold. */
const INVOICES = 200_000
const STALLED_S = 60

/** Returns the resident memory of a process in megabytes. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024

/** Begins an export and stops reading once it has begun, so that its place is taken. */
async function stall(port: number, key: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /api/v1/export/invoices HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n\r\n`)
  const head = await new Promise<Buffer>((done, fail) => socket.once('data', done).once('error', fail))
  socket.pause().on('error', () => {})
  expect(head.toString()).toMatch(/^HTTP\/1\.1 200 /)
  return socket
}

async function openTransactions(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
  )
  await client.end()
  return rows[0].n
}

for (const [entry, driver] of [
  ['server', 'pglite'],
  ['server', 'pg'],
  ['next', 'pg'],
] satisfies [Entry, Driver][])
  test(`${entry}-${driver}: readers of an export that stop reading hold no memory, no transaction, and their places for a minute`, async () => {
    test.skip(driver === 'pg' && process.env.PLUMBLINE_WITHOUT_POSTGRES === '1', 'no Postgres was found')
    const home = await makeHome(driver)
    let server: Running | undefined
    try {
      const db = await openDatabase({ ...loadEnv(home.env), poolSize: 2 })
      const { contractorId, key } = await makeInvoices(db, INVOICES)
      await db.close()
      server = await (await launch(entry, home, { ...UNLIMITED, RATE_LIMIT_EXPORT: '1000' })).ready()
      const { url, port } = server
      const pid = server.process.pid ?? 0
      const list = () => get({ url, key }, '/api/v1/invoices?limit=50')
      for (let i = 0; i < 20; i++) await list()
      const before = memoryOf(pid)
      const stalled = await Promise.all(Array.from({ length: EXPORTS.ofSubject }, () => stall(port, key)))
      const another = await makeKey(home, contractorId, 'integration')
      const exported = async () => {
        const answer = await fetch(`${url}/api/v1/export/invoices`, { headers: { 'x-api-key': another } })
        await answer.body?.cancel()
        return answer.status
      }
      await expect.poll(exported, { timeout: 20_000, intervals: [500] }).toBe(429)
      await new Promise((done) => setTimeout(done, 5_000))
      const slowest = Math.max(
        ...(await Promise.all(Array.from({ length: 20 }, () => timed(list)))).map(({ ms }) => ms),
      )
      const grown = memoryOf(pid) - before
      const open = driver === 'pg' ? await openTransactions(home.postgresUrl) : 0
      const freed = await msUntil(async () => (await exported()) === 200, 2 * STALLED_S)
      report(
        17,
        `${EXPORTS.ofSubject} readers of ${INVOICES.toLocaleString('en-US')} invoices stopped reading (${entry}, ${driver})`,
        [
          { what: 'memory they hold', value: Math.max(0, grown), unit: 'MB', bound: 100 },
          { what: 'open transactions', value: open, exactly: 0 },
          { what: 'a list meanwhile, the slowest of 20 at once', value: slowest, unit: 'ms', bound: 1_000 },
          { what: 'their places are free after', value: freed / 1000, unit: 's', bound: STALLED_S + 15 },
        ],
      )
      for (const socket of stalled) socket.destroy()
    } finally {
      await server?.end()
      await home.remove()
    }
  })
