import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase, shareDatabase } from '@/db/client'
import { insertContractor } from '@/db/queries/contractors'
import { operatorFor } from '@/lib/auth/actor'
import { createKey } from '@/lib/auth/manage-keys'
import { PRESETS } from '@/lib/auth/scopes'
import { loadEnv } from '@/lib/core/env'
import { newId } from '@/lib/core/ids'
import { loadFolder } from '@/lib/load/load'
import { call } from '@/lib/testing/tenant'
import { type Driver, makeHome } from '../e2e/running'
import { databaseOf, driversOf, type Goal, note, optionOf } from './figures'

const CONTRACTORS = 10
const SHOWN = [1, 2, CONTRACTORS]
/** A read is sent at this interval, whether or not the one before has been answered. */
const READ_EVERY_MS = 40

/** Creates a folder of `count` invoices, ten per project. */
function makeFolder(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const write = (file: string, header: string, n: number, line: (i: number) => string) =>
    writeFileSync(join(folder, file), [header, ...Array.from({ length: n }, (_, i) => line(i))].join('\n'))
  const projects = Math.ceil(count / 10)
  const day = (i: number) => new Date(Date.UTC(2024, 0, 1 + (i % 700))).toISOString().slice(0, 10)
  write('customers.csv', 'Customer ID,Name', projects, (i) => `C${i},Customer ${i}`)
  write('projects.csv', 'Project ID,Customer ID,Name', projects, (i) => `P${i},C${i},Project ${i}`)
  write('invoices.csv', 'Invoice Number,Project ID,Amount,Date', count, (i) => `I${i},P${i % projects},10.00,${day(i)}`)
  return folder
}

async function makeContractor(db: Database) {
  const id = newId('contractor')
  const made = await insertContractor(db.orm, { id, slug: id, name: 'Bench' })
  if (!made) throw new Error('the id is new')
  return made
}

/** Sends reads at a steady pace until the end, and returns how long each took. */
async function reads(key: string, isOver: () => boolean): Promise<number[]> {
  const took: number[] = []
  const sent: Promise<void>[] = []
  while (!isOver()) {
    const began = performance.now()
    const answered = call('/api/v1/invoices?limit=50', { key }).then(({ status }) => {
      if (status !== 200) throw new Error(`a read answered ${status}`)
      took.push(performance.now() - began)
    })
    sent.push(answered)
    await sleep(READ_EVERY_MS)
  }
  await Promise.all(sent)
  return took
}

const percentile = (values: number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

/** Measures a driver; `idleSeconds` is how long reads are measured before a load. */
async function measureDriver(driver: Driver, count: number, idleSeconds: number): Promise<void> {
  const home = await makeHome(driver)
  const db = await openDatabase({ ...loadEnv(home.env), poolSize: 8 })
  shareDatabase(db)
  const folder = makeFolder(count)
  console.log(`\n${databaseOf(driver)}: contractors of ${count} invoices, a read each ${READ_EVERY_MS} ms`)
  const first = await makeContractor(db)
  const { text: key } = await createKey(
    db.orm,
    first,
    { name: 'bench', scopes: PRESETS.integration.scopes },
    operatorFor(first.id),
  )
  await reads(key, endIn(1_000))
  let ofFirst = Number.NaN
  for (let n = 1; n <= CONTRACTORS; n++) {
    const contractor = n === 1 ? first : await makeContractor(db)
    const shown = SHOWN.includes(n)
    const idle = shown ? percentile(await reads(key, endIn(idleSeconds * 1000)), 0.95) : Number.NaN
    let isOver = false
    const began = performance.now()
    const loading = loadFolder(db, contractor, folder).finally(() => {
      isOver = true
    })
    const meanwhile = percentile(shown ? await reads(key, () => isOver) : [], 0.95)
    const { files } = await loading
    const perSecond = (files.reduce((sum, { rows }) => sum + rows, 0) * 1000) / (performance.now() - began)
    if (n === 1) ofFirst = perSecond
    if (!shown) continue
    const over = databaseOf(driver)
    if (n === CONTRACTORS)
      note(`rows/s of the tenth contractor's first load to the first one's, ${over}`, perSecond / ofFirst)
    const ofPostgres = (goal: Goal) => (driver === 'pg' ? { goal } : {})
    if (n === 1)
      note(`first load of ${count} invoices, ${over}`, perSecond, { unit: 'rows/s', ...ofPostgres({ atLeast: 4_500 }) })
    note(
      `p95 of reads during the load of contractor ${n} to idle, ${over}`,
      meanwhile / idle,
      ofPostgres({ atMost: 2.5 }),
    )
    console.log(
      `  contractor ${String(n).padStart(2)}: ${perSecond.toFixed(0).padStart(6)} rows/s (${(perSecond / ofFirst).toFixed(2)} of the first)  ` +
        `reads' p95 ${idle.toFixed(1)} ms idle, ${meanwhile.toFixed(1)} ms meanwhile: ratio ${(meanwhile / idle).toFixed(2)}`,
    )
  }
  await db.close()
  await home.remove()
  rmSync(folder, { recursive: true })
}

/** Returns a function that tells whether the given time has passed. */
function endIn(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() > end
}

/**
 * Runs `npm run bench -- load [pg|pglite] [--rows 100000] [--idle 5]`: the first load of the first, second and tenth contractor, and the
 * reads during it.
 */
export async function run(args: string[]): Promise<void> {
  const [count, idle] = [optionOf(args, '--rows', 100_000), optionOf(args, '--idle', 5)]
  if (!Number.isInteger(count) || count < 10) throw new Error('--rows wants a whole number from 10 on')
  // The reads are not logged, because only the load is measured.
  Object.assign(process.env, { REQUEST_LOG_DAYS: '0', RATE_LIMIT_KEY: '1000000', RATE_LIMIT_DATA_API: '1000000' })
  for (const driver of driversOf(args)) await measureDriver(driver, count, idle)
}
