import { sql } from 'drizzle-orm'
import { type Database, openDatabase, rows, shareDatabase } from '@/db/client'
import { insertContractor } from '@/db/queries/contractors'
import { operatorFor } from '@/lib/auth/actor'
import { loadEnv } from '@/lib/core/env'
import { newId } from '@/lib/core/ids'
import { execute } from '@/lib/operations/execute'
import { findRecords } from '@/lib/operations/search/find-records'
import { makeHome } from '../e2e/running'
import { databaseOf, note, optionOf } from './figures'
import { median } from './load'

/** Returns ten thousand, or fewer where fewer are asked for, and the most. */
const sizesTo = (most: number) => [Math.min(10_000, most / 10), most]
/** A search runs while somebody types. In milliseconds. */
const WANTED = 100
const IN_ONE_STATEMENT = 250_000
const TABLES = ['users', 'projects', 'analytics_invoice_records']

// Names as they are spread in a town: a few common ones, and ever rarer ones behind them.
const FIRST = sql`(array['Mary','James','Dana','Robert','Linda','Ana','John','Priya','Zoe','Omar'])[1 + (g * 7 % 10)]`
const LAST = sql`case when g % 4 = 0 then (array['Smith','Johnson','Lopez','Nguyen','Garcia'])[1 + (g / 40 % 5)]
  else initcap(translate(to_hex(hashint4(g % 60000)::bigint & 4294967295), '0123456789', 'ghijklmnop')) end`
const STREET = sql`(g % 9900 + 1) || ' ' || (array['Oak','Main','Elm','Maple','Cedar','Pine','Church','Lake','Hill','River'])[1 + (g / 3 % 10)] || ' Street'`

/** Fills the tables with customers, projects and invoices, `size` of each, written by the database itself without indexes and triggers. */
async function fill(db: Database, size: number): Promise<string> {
  const id = newId('contractor')
  if (!(await insertContractor(db.orm, { id, slug: `find-${size}`, name: 'Bench' }))) throw new Error('the id is new')
  const tail = id.slice(4, 20)
  const indexes = await rows<{ name: string; made: string }>(
    db.orm,
    sql`select indexname as name, indexdef as made from pg_indexes where tablename = any(${sql.param(TABLES)}::text[]) and indexname not like '%pkey'`,
  )
  for (const { name } of indexes) await rows(db.orm, sql`drop index ${sql.identifier(name)}`)
  for (const table of TABLES) await rows(db.orm, sql`alter table ${sql.identifier(table)} disable trigger user`)
  for (let from = 0; from < size; from += IN_ONE_STATEMENT) {
    const g = sql`generate_series(${from}::int, ${Math.min(from + IN_ONE_STATEMENT, size) - 1}::int) g`
    const ref = (prefix: string) => sql`${prefix} || ${tail} || lpad(g::text, 10, '0')`
    await rows(
      db.orm,
      sql`insert into users (id, contractor_id, name, email, phone, address, city, owns_project)
      select ${ref('cus_')}, ${id}, ${FIRST} || ' ' || ${LAST}, 'c' || g || '@example.com', '+1615' || lpad(g::text, 7, '0'), ${STREET}, 'Nashville', true from ${g}`,
    )
    await rows(
      db.orm,
      sql`insert into projects (id, contractor_id, customer_id, name, status, total_amount, address)
      select ${ref('prj_')}, ${id}, ${ref('cus_')}, (array['Roof replacement','Deck','Gutters','Siding repair','Fence'])[1 + g % 5] || ' ' || ${LAST},
        'completed', 1000.50, ${STREET} from ${g}`,
    )
    await rows(
      db.orm,
      sql`insert into analytics_invoice_records (id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date, settled_at, status)
      select ${ref('inv_')}, ${id}, ${ref('prj_')}, ${ref('cus_')}, 'INV-' || g, 12.5, 'USD', '2026-01-05Z', '2026-02-05Z', '2026-02-01Z', 'paid' from ${g}`,
    )
  }
  for (const { made } of indexes) await rows(db.orm, sql.raw(made))
  for (const table of TABLES) await rows(db.orm, sql`alter table ${sql.identifier(table)} enable trigger user`)
  await rows(db.orm, sql`vacuum analyze`)
  return id
}

const QUERIES = {
  'a full name': 'Dana Johnson',
  'a name, half typed': 'dana joh',
  'a common first name': 'Mary',
  'a beginning of three letters': 'smi',
  'a name with a mistake': 'Johnsn',
  'two words, each with a mistake': 'Dnaa Johnsno',
  'words that nothing has': 'Qwertz Uiopas',
  'a house': '1204 Main Street',
  'a street': 'oak street',
  'a street, half typed': 'oak stre',
  'a house, half typed': '1204 main stre',
  'a common and a rare word': 'mary ghigj',
  'two common words and a beginning': 'oak street joh',
  'an email address': 'c4711@example.com',
  'a phone number': '(615) 000-4711',
  'its last four digits': '4711',
  'an invoice': 'INV-4711',
}

const percentile = (values: number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

type Found = { p50: number; p95: number; found: number }

/** Prints every query at both sizes, and notes the slowest at the larger one. */
function report(driver: 'pg' | 'pglite', most: number, results: Map<string, Found[]>): void {
  const shown = ({ p50, p95, found }: Found) => `${p50.toFixed(1)} / ${p95.toFixed(1)} ms, ${found} found`
  for (const [name, both] of results) console.log(name.padEnd(32) + both.map((one) => shown(one).padEnd(28)).join(''))
  const of = (figure: 'p50' | 'p95') => [...results.values()].map(([, large]) => large?.[figure] ?? Number.NaN)
  const records = `${most} records of each kind, ${databaseOf(driver)}`
  note(`p50 of the median query among ${records}`, median(of('p50')), { unit: 'ms' })
  note(`p95 of the slowest query among ${records}`, Math.max(...of('p95')), { unit: 'ms', goal: { atMost: WANTED } })
}

/**
 * Runs `npm run bench -- find [pg|pglite] [most] [--runs 30]`: one search over ten thousand and over a million (or as many) customers,
 * projects and invoices each: the median, the 95th percentile and how many were found.
 */
export async function run(args: string[]): Promise<void> {
  const driver = args[0] === 'pglite' ? 'pglite' : 'pg'
  const [most, runs] = [Number(args[1] ?? 1_000_000), optionOf(args, '--runs', 30)]
  const results = new Map<string, Found[]>()
  for (const size of sizesTo(most)) {
    const home = await makeHome(driver)
    const db = await openDatabase({ ...loadEnv(home.env), poolSize: 4 })
    shareDatabase(db)
    const began = performance.now()
    const actor = operatorFor(await fill(db, size))
    console.log(`${driver}: ${size} of each are there, after ${((performance.now() - began) / 1000).toFixed(0)} s`)
    const sizes = await rows<{ name: string; mb: number }>(
      db.orm,
      sql`select relname as name, round(pg_relation_size(oid) / 1e6, 1)::float8 as mb from pg_class where relname like '%\\_find%' and relkind = 'i' order by 1`,
    )
    console.log(sizes.map(({ name, mb }) => `${name} ${mb} MB`).join(', '))
    for (const [name, text] of Object.entries(QUERIES)) {
      const took: number[] = []
      let found = 0
      for (let round = -Math.min(3, runs); round < runs; round++) {
        const started = performance.now()
        found = (await execute(findRecords, { actor, now: new Date() }, { query: text })).hits.length
        if (round >= 0) took.push(performance.now() - started)
      }
      const one = { p50: percentile(took, 0.5), p95: percentile(took, 0.95), found }
      results.set(name, [...(results.get(name) ?? []), one])
    }
    await db.close()
    await home.remove()
  }
  report(driver, most, results)
}
