import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import { type Database, openDatabase, rows, shareDatabase } from '@/db/client'
import { type Contractor, insertContractor } from '@/db/queries/contractors'
import { operatorFor } from '@/lib/auth/actor'
import { createKey } from '@/lib/auth/manage-keys'
import { PRESETS } from '@/lib/auth/scopes'
import { loadEnv } from '@/lib/core/env'
import { newId } from '@/lib/core/ids'
import { createPlumblineServer } from '@/lib/server/service-handler'
import { findRoute } from '@/lib/testing/answer-of'
import { makeHome } from '../e2e/running'
import { note } from './figures'
import { median } from './load'

const runFile = promisify(execFile)

/** A contractor with so many invoices, written by Postgres itself without triggers. */
async function books(db: Database, count: number): Promise<Contractor> {
  const id = newId('contractor')
  const contractor = await insertContractor(db.orm, { id, slug: id, name: 'Bench' })
  if (!contractor) throw new Error('the id is new')
  await db.orm.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(
      sql`insert into users (id, contractor_id, name, owns_project) values (${`cus_${id}`}, ${id}, 'Dana', true)`,
    )
    await tx.execute(
      sql`insert into projects (id, contractor_id, customer_id, name, status) values (${`prj_${id}`}, ${id}, ${`cus_${id}`}, 'Roof', 'completed')`,
    )
    await tx.execute(sql`insert into analytics_invoice_records
        (id, contractor_id, project_id, customer_id, source_reference, number, amount, currency, invoice_date, due_date, status, created_at, updated_at)
      select 'inv_' || ${`prj_${id}`} || '_' || (1700000000000 + n), ${id}, ${`prj_${id}`}, ${`cus_${id}`}, 'I' || n, '26-' || n, (n % 10000) + 0.25, 'USD',
        timestamptz '2024-01-01' + n * interval '1 second', timestamptz '2024-02-01' + n * interval '1 second', 'overdue',
        timestamptz '2024-01-01' + n * interval '1 second', timestamptz '2024-01-01' + n * interval '1 second'
      from generate_series(1, ${count}::int) n`)
  })
  await db.orm.execute(sql`analyze analytics_invoice_records`)
  return contractor
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`
const iso = (column: string, field: string) => `to_char(${column} at time zone 'UTC', ${ISO}) as "${field}"`
/** The same records as JSON, in the same order, as one statement. */
const queryOf = (contractorId: string) =>
  `select row_to_json(p) from (select id, project_id as "projectId", contractor_id as "contractorId", customer_id as "customerId", number, amount, currency,
    ${iso('invoice_date', 'date')}, ${iso('due_date', 'dueDate')}, status, ${iso('created_at', 'createdAt')}, ${iso('updated_at', 'updatedAt')}
    from analytics_invoice_records where contractor_id collate "C" = '${contractorId}' order by contractor_id collate "C", updated_at, id) p`.replace(
    /\s+/g,
    ' ',
  )

/**
 * Runs `npm run bench -- export [--rows 200000] [--rounds 3]`: an export over HTTP to `curl`, in turns with `psql \copy` of the same query
 * to a file; rows a second, and the largest resident memory while it runs.
 */
export async function run(args: string[]): Promise<void> {
  const given = (name: string, other: number) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : other)
  const [count, rounds] = [given('--rows', 200_000), given('--rounds', 3)]
  Object.assign(process.env, {
    REQUEST_LOG_DAYS: '0',
    RATE_LIMIT_EXPORT: '1000000',
  })
  const home = await makeHome('pg')
  Object.assign(process.env, home.env)
  const db = await openDatabase(loadEnv())
  shareDatabase(db)
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const contractor = await books(db, count)
  const { id: contractorId } = contractor
  const { text: key } = await createKey(
    db.orm,
    contractor,
    { name: 'bench', scopes: PRESETS.integration.scopes },
    operatorFor(contractorId),
  )
  const server = createPlumblineServer(findRoute, (_, response) => response.end(), loadEnv())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/v1/export/invoices`
  const took: Record<string, number[]> = { copy: [], ndjson: [], csv: [], gzip: [] }
  const before = process.memoryUsage.rss()
  let most = 0
  const timed = async (name: string, work: () => Promise<unknown>, round: number) => {
    const began = performance.now()
    await work()
    if (round > 0) took[name]?.push(performance.now() - began)
  }
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  const out = join(folder, 'out')
  const exported = async (...headers: string[]) => {
    const all = [`x-api-key: ${key}`, ...headers].flatMap((header) => ['-H', header])
    await runFile('curl', ['-sSf', ...all, '-o', out, url])
  }
  for (let round = 0; round <= rounds; round++) {
    const copy = `\\copy (${queryOf(contractorId)}) to '${out}'`
    await timed('copy', () => runFile('psql', [home.postgresUrl, '-qc', copy]), round)
    await timed('ndjson', () => exported(), round)
    if (round === 0) {
      const { stdout } = await runFile('wc', ['-l', out])
      if (Number.parseInt(stdout, 10) !== count + 1) throw new Error(`${stdout} lines for ${count} records`)
    }
    await timed('csv', () => exported('accept: text/csv'), round)
    await timed('gzip', () => exported('accept-encoding: gzip'), round)
  }
  clearInterval(watch)
  const rate = (name: string) => (count * 1000) / median(took[name] ?? [])
  for (const name of Object.keys(took))
    console.log(
      `  ${name.padEnd(7)} ${rate(name).toFixed(0).padStart(8)} rows/s, ratio to \\copy ${(rate(name) / rate('copy')).toFixed(2)}`,
    )
  for (const [name, what] of Object.entries({ ndjson: 'NDJSON', csv: 'CSV', gzip: 'gzipped NDJSON' }))
    note(`rows/s of an export as ${what} to \`psql \\copy\``, rate(name) / rate('copy'))
  note(`rows/s of an export as NDJSON`, rate('ndjson'), { unit: 'rows/s' })
  note(`memory that an export of ${count} rows adds`, (most - before) / 1e6, { unit: 'MB' })
  console.log(
    `  memory: ${(before / 1e6).toFixed(0)} MB before, at most ${(most / 1e6).toFixed(0)} MB while ${count} rows are exported`,
  )
  const [size] = await rows<{ n: string }>(
    db.orm,
    sql`select pg_size_pretty(pg_total_relation_size('analytics_invoice_records')) as n`,
  )
  console.log(`  the table has ${size?.n}`)
  rmSync(folder, { recursive: true })
  server.closeAllConnections()
  await db.close()
  await home.remove()
}
