import { type ChildProcess, spawn } from 'node:child_process'
import { openDatabase } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { freePort, type Home, makeHome } from '../e2e/running'
import { makeInvoices } from './books'
import { note } from './figures'
import { installDirectus, startDirectus } from './servers/directus'
import { stopAll, takeTurns } from './turns'

const INVOICES = 10_000
const TOKEN = 'a-token-of-the-bench-for-directus'
/** The required ratio of plumbline's requests/s to Directus's. */
const WANTED = 20

type Name = 'directus' | 'plumbline'
type Started = { name: Name; child: ChildProcess; url: string; headers: Record<string, string>; home: Home }

/** Waits until a server answers with fifty invoices. */
async function untilAnswered({ name, url, headers }: Started): Promise<void> {
  for (let i = 0; i < 600; i++) {
    const answer = await fetch(url, { headers }).catch(() => undefined)
    if (answer?.ok) {
      const { items, data } = await answer.json()
      const found = (items ?? data).length
      if (found !== 50) throw new Error(`${name} lists ${found} invoices`)
      return
    }
    await answer?.arrayBuffer()
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${name} did not start`)
}

async function startPlumbline(home: Home, key: string): Promise<Started> {
  const port = await freePort()
  const settings = { PORT: String(port), RATE_LIMIT_DATA_API: '100000000', NODE_ENV: 'production' as const }
  const child = spawn(process.execPath, ['server.mjs'], {
    env: { ...process.env, ...home.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}/api/v1/invoices?limit=50`
  return { name: 'plumbline', child, url, headers: { 'x-api-key': key }, home }
}

async function start(home: Home): Promise<Started> {
  const port = await freePort()
  const child = startDirectus(home.postgresUrl, port, TOKEN)
  const url = `http://127.0.0.1:${port}/items/analytics_invoice_records?limit=50`
  return { name: 'directus', child, url, headers: { authorization: `Bearer ${TOKEN}` }, home }
}

/**
 * Runs `npm run bench -- directus [rounds] [seconds]`: the list of invoices, compared with Directus over the same Postgres. It is installed
 * into `artifacts/peers`, without its cache and its limits.
 */
export async function run([rounds = '5', seconds = '4']: string[]): Promise<void> {
  installDirectus()
  const home = await makeHome('pg')
  const db = await openDatabase({ ...loadEnv(home.env), poolSize: 4 })
  const { key } = await makeInvoices(db, INVOICES)
  await db.close()
  const started = [await start(home), await startPlumbline(home, key)]
  for (const each of started) await untilAnswered(each)
  const rows = await takeTurns(started, Number(rounds), Number(seconds), ({ url, headers }) => ({
    url,
    headers,
    connections: 8,
  }))
  console.log(`\nPostgres: 50 of ${INVOICES} invoices, 8 connections, ${rounds} rounds of ${seconds} s, medians`)
  for (const { name } of started) console.log(`  ${rows.line(name)}`)
  const ratio = rows.ratio('plumbline', 'directus')
  console.log(`  plumbline / directus ${ratio.toFixed(2)}`)
  note('requests/s of plumbline to Directus, Postgres', ratio, { goal: { atLeast: WANTED } })
  note('CPU per request, Directus', rows.cpu('directus'), { unit: 'µs' })
  await stopAll(started, home)
}
