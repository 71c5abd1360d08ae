import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, openDatabase, rows, shareDatabase } from '@/db/client'
import { insertContractor } from '@/db/queries/contractors'
import { operatorFor } from '@/lib/auth/actor'
import { createKey } from '@/lib/auth/manage-keys'
import { PRESETS } from '@/lib/auth/scopes'
import { loadEnv } from '@/lib/core/env'
import { newId } from '@/lib/core/ids'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { loadFolder } from '@/lib/load/load'
import { RESOURCES } from '@/lib/resources/registry'
import { readFeed } from '@/lib/sync/feed'
import { numberAll } from '@/lib/sync/numbering'
import { runChaos } from '@/lib/testing/chaos'
import { DeltaClient, FeedClient, recordsOf, truthOf } from '@/lib/testing/feed-client'
import { askAs, loadFiles, sampleBooks } from '@/lib/testing/tenant'
import { makeHome } from '../e2e/running'
import { databaseOf, driversOf, note, optionOf } from './figures'
import { median } from './load'

const LISTED = RESOURCES.map(({ source }) => source.table)
const ROUNDS = 5

async function makeContractor(db: Database) {
  const id = newId('contractor')
  const made = await insertContractor(db.orm, { id, slug: id, name: 'Bench' })
  if (!made) throw new Error('the id is new')
  return made
}

/** Turns the feed's triggers on or off. */
async function keepFeed(db: Database, state: 'enable' | 'disable'): Promise<void> {
  for (const table of LISTED)
    for (const event of ['created', 'updated', 'deleted'])
      await db.orm.execute(sql.raw(`alter table ${table} ${state} trigger feed_${event}`))
}

/** Measures how long a load takes with the feed, as a ratio to the same load without it, in turns. */
async function loadCost(db: Database, over: string, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  for (const [name, text] of Object.entries(sampleBooks(count))) writeFileSync(join(folder, name), text)
  const took = { enable: [] as number[], disable: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++)
    for (const state of ['enable', 'disable'] as const) {
      await keepFeed(db, state)
      const { milliseconds } = await loadFolder(db, await makeContractor(db), folder)
      // The first round warms up.
      if (round > 0) took[state].push(milliseconds)
    }
  await keepFeed(db, 'enable')
  rmSync(folder, { recursive: true })
  const [kept, without] = [median(took.enable), median(took.disable)]
  console.log(
    `  load of ${5 * count} rows: ${kept.toFixed(0)} ms with the feed, ${without.toFixed(0)} without: ratio ${(kept / without).toFixed(2)}`,
  )
  note(`time of a load with the feed to one without it, ${over}`, kept / without, { goal: { atMost: 1.25 } })
  const began = performance.now()
  await numberAll()
  const numbered = performance.now() - began
  const each = (numbered * 1000) / ((ROUNDS + 1) * 5 * count)
  console.log(`  numbering what ${ROUNDS + 1} loads left: ${each.toFixed(0)} µs a change`)
  note(`numbering a change, ${over}`, each, { unit: 'µs' })
}

const IN_ONE_STATEMENT = 1_000_000
const PAGES = 200

/** Makes a contractor with a feed of so many changes. Returns what reads a page behind its middle. */
async function makeFeed(db: Database, count: number): Promise<() => Promise<number>> {
  const { id } = await makeContractor(db)
  for (let from = 1; from <= count; from += IN_ONE_STATEMENT)
    await db.orm.execute(sql`insert into changes (contractor_id, resource, position, record_id, change, version, numbered_at, count_before, sum_before)
      select ${id}, (array['customers', 'projects', 'invoices', 'payments', 'estimates'])[1 + n % 5], n, 'rec_' || n, 'updated', now(), now(), 1, 1
      from generate_series(${from}::int, ${Math.min(count, from + IN_ONE_STATEMENT - 1)}::int) n`)
  await db.orm.execute(
    sql`insert into change_heads (contractor_id, position, numbered_at) values (${id}, ${count}, now())`,
  )
  const position = Math.floor(count / 2)
  const [row] = await rows<{ stamp: string }>(
    db.orm,
    sql`select (extract(epoch from numbered_at) * 1000000)::bigint::text as stamp from changes
      where contractor_id = ${id} and position = ${position} limit 1`,
  )
  const after = { position, stamp: row?.stamp ?? '0' }
  return async () => {
    const began = performance.now()
    const page = await readFeed(db, { contractorId: id, resources: RESOURCE_NAMES, after, limit: 100 })
    if (page.n !== 100 || !page.known) throw new Error('a page in the middle is full')
    return performance.now() - began
  }
}

/** Measures how long a page of the middle of a feed takes, by the length of the feed; the feeds take turns. */
async function pageCost(db: Database, over: string, most: number): Promise<void> {
  const feeds: { count: number; read: () => Promise<number>; took: number[] }[] = []
  for (let count = 10_000; count <= most; count *= 10) feeds.push({ count, read: await makeFeed(db, count), took: [] })
  await db.orm.execute(sql`analyze changes`)
  for (let i = 0; i < PAGES; i++) for (const { read, took } of feeds) took.push(await read())
  const [first] = feeds
  for (const { count, took } of feeds) {
    const ratio = median(took) / median(first?.took ?? [])
    if (count !== first?.count)
      note(`page of a feed of ${count} changes to one of ${first?.count}, ${over}`, ratio, { goal: { atMost: 1.5 } })
    console.log(`  a page of ${count} changes: ${median(took).toFixed(2)} ms, ratio ${ratio.toFixed(2)}`)
  }
}

const PARTS = ['load', 'pages', 'chaos']

/** Clients against writers; the end is compared with the tables. */
async function chaos(db: Database, over: string, longestMs: number): Promise<void> {
  const contractor = await makeContractor(db)
  await loadFiles(db, contractor, sampleBooks(200))
  const { text: key } = await createKey(
    db.orm,
    contractor,
    { name: 'bench', scopes: PRESETS.integration.scopes },
    operatorFor(contractor.id),
  )
  const ask = askAs(key)
  const clients = [7, 100, 500].map((limit) => new FeedClient(ask, limit))
  const lists = [120, 0].map((seconds) => ({ seconds, client: new DeltaClient(ask, seconds * 1000) }))
  const all = [...clients, ...lists.map(({ client }) => client)]
  await runChaos(db, contractor.id, { writers: 20, transactions: 10, longestMs, pauseMs: 200 }, all)
  const [truth, records] = [await truthOf(db, contractor.id), await recordsOf(db, contractor.id)]
  let right = 0
  for (const client of clients) {
    const isTrue = JSON.stringify(client.proof()) === JSON.stringify(truth)
    if (isTrue) right++
    console.log(`  a client read ${client.items.length} changes and ${isTrue ? 'has exactly the truth' : 'IS WRONG'}`)
  }
  const what = `clients of ${clients.length} with exactly the truth beside twenty writers, ${over}`
  note(what, right, { unit: 'clients', goal: { atLeast: clients.length } })
  for (const { seconds, client } of lists) {
    const { absent, stale, leftOver } = client.missed(records)
    console.log(`  updatedAfter, ${seconds} s overlap: ${absent + stale} missed, ${leftOver} deletions never told`)
  }
}

/**
 * Runs `npm run bench -- feed [pg|pglite] [load] [pages] [chaos] [--rows 10000] [--changes 1000000] [--open 60]`: what the feed costs a
 * load, a page by the length of the feed, and three clients beside twenty writers that hold transactions open for up to `--open` seconds.
 */
export async function run(args: string[]): Promise<void> {
  process.env.REQUEST_LOG_DAYS = '0'
  process.env.RATE_LIMIT_DATA_API = '100000000'
  process.env.EXTERNAL_API_TOKEN_SECRET ??= 'a-secret-for-the-bench-of-32-characters'
  for (const driver of driversOf(args)) {
    const home = await makeHome(driver)
    const db = await openDatabase({ ...loadEnv(home.env), poolSize: 24 })
    shareDatabase(db)
    const over = databaseOf(driver)
    console.log(over)
    const wants = (part: string) => !PARTS.some((each) => args.includes(each)) || args.includes(part)
    if (wants('load')) await loadCost(db, over, optionOf(args, '--rows', 10_000) / 5)
    if (wants('pages')) await pageCost(db, over, optionOf(args, '--changes', 1_000_000))
    if (wants('chaos')) await chaos(db, over, optionOf(args, '--open', 60) * 1000)
    await db.close()
    await home.remove()
  }
}
