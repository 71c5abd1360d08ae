import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, shareDatabase } from '@/db/client'
import { insertContractor } from '@/db/queries/contractors'
import { operatorFor } from '@/lib/auth/actor'
import { createKey } from '@/lib/auth/manage-keys'
import { PRESETS } from '@/lib/auth/scopes'
import { loadEnv } from '@/lib/core/env'
import { newId } from '@/lib/core/ids'
import { numberAll } from '@/lib/sync/numbering'
import { loadFiles } from '@/lib/testing/tenant'
import { launch, makeHome } from '../e2e/running'
import { databaseOf, note, optionOf } from './figures'

const PROJECTS = 1_000
const FIRST = 'first sync'
/** The most seconds of a first sync; its thousand pages at ten a minute would take a hundred minutes. */
const MOST_SECONDS = 5

/** Returns customers and projects, and `count` invoices of them. */
function booksOf(count: number): Record<string, string> {
  const lines = (header: string, n: number, line: (i: number) => string) =>
    [header, ...Array.from({ length: n }, (_, i) => line(i))].join('\n')
  return {
    'customers.csv': lines('Customer ID,Name,Email', PROJECTS, (i) => `C${i},Customer ${i},c${i}@example.com`),
    'projects.csv': lines(
      'Project ID,Customer ID,Name,Status,Total Amount',
      PROJECTS,
      (i) => `P${i},C${i},Roof ${i},in_progress,${i + 1}.10`,
    ),
    'invoices.csv': lines(
      'Invoice Number,Project ID,Amount,Date,Due Date',
      count,
      (i) => `I${i},P${i % PROJECTS},${(i % 9000) + 1}.25,2026-01-05,2026-02-05`,
    ),
  }
}

/** The program of a customer, in a process of its own, with the package as it is published. */
const PROGRAM = `
  const { FileStore, Plumbline } = await import(process.env.CLIENT)
  const client = new Plumbline({ baseUrl: process.env.API, key: process.env.KEY })
  const store = await FileStore.open(process.env.COPY)
  const began = performance.now()
  const { upserts, proofs } = await client.sync({ store })
  const seconds = (performance.now() - began) / 1000
  const megabytes = process.resourceUsage().maxRSS / 1024
  console.log(JSON.stringify({ seconds, upserts, megabytes, proofs: proofs.map(({ resource, verdict, found }) => resource + ' ' + found.count + ' ' + verdict) }))`

/**
 * Runs `npm run bench -- first-sync [pg|pglite] [--invoices 100000]`: a first sync of a contractor's books by the TypeScript client at
 * default limits, from the production server over HTTP to a file on disk, proof included; and the sync after it, when nothing changed.
 */
export async function run(args: string[]): Promise<void> {
  const count = optionOf(args, '--invoices', 100_000)
  const driver = args.includes('pglite') ? 'pglite' : 'pg'
  const home = await makeHome(driver)
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  Object.assign(process.env, home.env)
  const db = await openDatabase(loadEnv())
  shareDatabase(db)
  const id = newId('contractor')
  const contractor = await insertContractor(db.orm, { id, slug: id, name: 'Bench' })
  if (!contractor) throw new Error('the id is new')
  await loadFiles(db, contractor, booksOf(count))
  await numberAll()
  const asked = { name: 'bench', scopes: PRESETS.integration.scopes }
  const { text: key } = await createKey(db.orm, contractor, asked, operatorFor(id))
  await db.close()
  const running = await (await launch('server', home)).ready()
  const packed = spawnSync('npm', ['run', '--silent', 'build'], { cwd: 'clients/typescript', encoding: 'utf8' })
  if (packed.status !== 0) throw new Error(packed.stdout + packed.stderr)
  const env = {
    ...process.env,
    API: `${running.url}/api/v1`,
    KEY: key,
    COPY: join(folder, 'books.ndjson'),
    CLIENT: join(process.cwd(), 'clients/typescript/dist/index.js'),
  }
  for (const what of [FIRST, 'next sync, nothing changed']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      env,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    const { seconds, upserts, megabytes, proofs } = JSON.parse(stdout)
    console.log(`  ${what} over ${driver}: ${seconds.toFixed(1)} s, ${upserts} records, ${megabytes.toFixed(0)} MB`)
    console.log(`    ${proofs.join(', ')}`)
    note(`${what} of ${count} invoices, ${databaseOf(driver)}`, seconds, {
      unit: 's',
      ...(what === FIRST ? { goal: { atMost: MOST_SECONDS } } : {}),
    })
    if (what === FIRST) note(`memory of the client in it, ${databaseOf(driver)}`, megabytes, { unit: 'MB' })
  }
  await running.end()
  rmSync(folder, { recursive: true })
  await home.remove()
}
