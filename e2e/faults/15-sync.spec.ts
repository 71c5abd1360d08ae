import { isDeepStrictEqual } from 'node:util'
import { test } from '@playwright/test'
import { type Database, openDatabase } from '../../db/client'
import { insertContractor } from '../../db/queries/contractors'
import { loadEnv } from '../../lib/core/env'
import { newId } from '../../lib/core/ids'
import { runChaos } from '../../lib/testing/chaos'
import { reaching } from '../../lib/testing/database'
import { type Ask, DeltaClient, FeedClient, recordsOf, truthOf } from '../../lib/testing/feed-client'
import { Pooler } from '../../lib/testing/pooler'
import { loadFiles, sampleBooks } from '../../lib/testing/tenant'
import { makeKey } from '../fixtures'
import { UNLIMITED } from '../lead'
import { type Driver, type Home, launch, makeHome, type Running } from '../running'
import { report } from './own-postgres'

/** The PgBouncer to run, 1.21 or later, because earlier ones keep no named statements; scripts/faults.mjs finds it. */
const PGBOUNCER = process.env.TEST_PGBOUNCER ?? ''

/** The number of seconds that a transaction may stay open; the promise is about a minute. */
const OPEN_S = Number(process.env.FAULT_OPEN_SECONDS ?? 60)
/** The overlaps: what the guide advises for `updatedAfter`, less than transactions stay open, and none. */
const OVERLAPS_S = [120, 15, 0]
const PAGES = [7, 100, 500]

/** Asks several instances in turn, as through a balancer. */
function asking(servers: Running[], key: string): Ask {
  let turn = 0
  return async (path) => {
    const { url } = servers[turn++ % servers.length] ?? {}
    const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) }
  }
}

async function stocked(db: Database): Promise<string> {
  const id = newId('contractor')
  const contractor = await insertContractor(db.orm, { id, slug: id, name: 'Sync' })
  if (!contractor) throw new Error('the id is new')
  await loadFiles(db, contractor, sampleBooks(200))
  return id
}

/** Clients over two instances beside writers with connections of their own; the copies are compared with the tables. */
async function proveSync(title: string, home: Home, databaseUrl: string): Promise<void> {
  const writing = await openDatabase({ ...loadEnv(reaching('pg', databaseUrl)), poolSize: 24 })
  const servers: Running[] = []
  try {
    const contractorId = await stocked(writing)
    for (let i = 0; i < 2; i++) servers.push(await (await launch('server', home, UNLIMITED)).ready())
    const ask = asking(servers, await makeKey(home, contractorId, 'integration'))
    const clients = PAGES.map((limit) => new FeedClient(ask, limit))
    const lists = OVERLAPS_S.map((seconds) => ({ seconds, client: new DeltaClient(ask, seconds * 1000) }))
    const chaos = { writers: 20, transactions: 4, longestMs: OPEN_S * 1000, pauseMs: 500 }
    await runChaos(writing, contractorId, chaos, [...clients, ...lists.map(({ client }) => client)])
    const [truth, records] = [await truthOf(writing, contractorId), await recordsOf(writing, contractorId)]
    const isTrue = (proof: object) => isDeepStrictEqual(proof, truth)
    const missed = lists.map(({ seconds, client }) => ({ seconds, ...client.missed(records) }))
    report(15, `twenty writers, transactions open up to ${OPEN_S} s (${title})`, [
      { what: 'changes read', value: Math.max(...clients.map(({ items }) => items.length)), told: true },
      {
        what: 'copies by the feed that are the truth',
        value: clients.filter((one) => isTrue(one.proof())).length,
        exactly: 3,
      },
      { what: 'with its totals', value: clients.filter(({ totals }) => isTrue(totals)).length, exactly: 3 },
      ...missed.flatMap(({ seconds, absent, stale, leftOver }) => [
        {
          what: `updatedAfter, ${seconds} s overlap: missed`,
          value: absent + stale,
          ...(seconds > OPEN_S ? { exactly: 0 } : { told: true as const }),
        },
        { what: 'deletions never told', value: leftOver, told: true as const },
      ]),
    ])
  } finally {
    for (const server of servers) await server.end('SIGKILL')
    await writing.close()
  }
}

test.describe(() => {
  test.skip(process.env.PLUMBLINE_WITHOUT_POSTGRES === '1', 'no Postgres was found')
  test.setTimeout((8 * OPEN_S + 120) * 1000)

  for (const driver of ['pg', 'vercel'] satisfies Driver[])
    test(`${driver}: two instances, and clients of the feed end with exactly the truth`, async () => {
      const home = await makeHome(driver)
      try {
        await proveSync(`two instances, ${driver}`, home, home.postgresUrl)
      } finally {
        await home.remove()
      }
    })

  test('through a pooler that hands out transactions, too', async () => {
    test.skip(PGBOUNCER === '', 'no PgBouncer of 1.21 or later was found: set TEST_PGBOUNCER')
    const home = await makeHome('pg')
    const pooler = await Pooler.start(PGBOUNCER, home.postgresUrl, {
      pool_mode: 'transaction',
      max_prepared_statements: 200,
    })
    try {
      const env = { ...home.env, DATABASE_URL: pooler.url }
      await proveSync('two instances through PgBouncer', { ...home, env }, home.postgresUrl)
    } finally {
      await pooler.stop()
      await home.remove()
    }
  })
})
