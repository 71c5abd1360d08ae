import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { openDatabase } from '@/db/client'
import { insertContractor } from '@/db/queries/contractors'
import { operatorFor } from '@/lib/auth/actor'
import { createKey } from '@/lib/auth/manage-keys'
import { loadEnv } from '@/lib/core/env'
import { newId } from '@/lib/core/ids'
import { type Driver, freePort, type Home, makeHome } from '../e2e/running'
import { databaseOf, driversOf, note } from './figures'
import { UNIQUE } from './load'
import { takeTurns } from './turns'

const CONTENDERS = {
  bare: ['--import', 'tsx', 'bench/servers/bare-leads.ts'],
  // The same command as `npm start`.
  plumbline: ['server.mjs'],
} satisfies Record<string, string[]>
type Contender = keyof typeof CONTENDERS
const NAMES: Contender[] = ['bare', 'plumbline']

/**
 * Returns a lead with ids and people unique to this run, so that every post is a new lead of a new customer, the most expensive
 * case.
 */
function leadBody(): string {
  const run = randomBytes(4).toString('hex')
  return JSON.stringify({
    firstName: 'Ana',
    lastName: 'López',
    email: `ana-${run}-${UNIQUE}@example.com`,
    city: 'Nashville',
    state: 'TN',
    leadSource: 'google_ads',
    notes: 'The roof leaks near the chimney since the storm.',
    externalId: `${run}-${UNIQUE}`,
  })
}

async function makeLeadKey(home: Home): Promise<string> {
  const db = await openDatabase({ ...loadEnv(home.env), poolSize: 2 })
  const contractor = await insertContractor(db.orm, { id: newId('contractor'), slug: 'bench', name: 'Bench' })
  if (!contractor) throw new Error('the database is new')
  const { text } = await createKey(
    db.orm,
    contractor,
    { name: 'bench', scopes: ['write:leads'] },
    operatorFor(contractor.id),
  )
  await db.close()
  return text
}

type Started = { name: Contender; child: ChildProcess; url: string; key: string; home: Home }

async function start(name: Contender, driver: Driver): Promise<Started> {
  const home = await makeHome(driver)
  const key = await makeLeadKey(home)
  const port = await freePort()
  const settings = {
    PORT: String(port),
    RATE_LIMIT_LEADS: '100000000',
    NODE_ENV: 'production' as const,
    NEXT_TELEMETRY_DISABLED: '1',
  }
  const child = spawn(process.execPath, CONTENDERS[name], {
    env: { ...process.env, ...home.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}/api/webhooks/leads/inbound`
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = leadBody().replaceAll(UNIQUE, '0')
  for (let i = 0; i < 300; i++) {
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
    if (answer?.ok) return { name, child, url, key, home }
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${name} did not start`)
}

async function compare(driver: Driver, rounds: number, seconds: number): Promise<void> {
  const started: Started[] = []
  for (const name of NAMES) started.push(await start(name, driver))
  const rows = await takeTurns(started, rounds, seconds, ({ url, key }) => ({
    url,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: leadBody(),
    connections: 32,
  }))
  console.log(
    `\n${databaseOf(driver)}: new leads of one contractor, 32 connections, ${rounds} rounds of ${seconds} s, medians`,
  )
  for (const { name } of started) console.log(`  ${rows.line(name)}`)
  const ratio = rows.ratio('plumbline', 'bare')
  console.log(`  plumbline / bare INSERT … ON CONFLICT ${ratio.toFixed(2)}`)
  const what = `new leads/s of plumbline to a bare INSERT … ON CONFLICT, ${databaseOf(driver)}`
  note(what, ratio, { goal: { atLeast: driver === 'pg' ? 0.5 : 0.68 } })
  for (const { child, home } of started) {
    child.kill('SIGKILL')
    await home.remove()
  }
}

/** Runs `npm run bench -- leads [pg|pglite] [rounds] [seconds]` */
export async function run(args: string[]): Promise<void> {
  const [, rounds = '5', seconds = '4'] = args
  for (const driver of driversOf(args)) await compare(driver, Number(rounds), Number(seconds))
}
