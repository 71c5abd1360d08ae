import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCatalog } from '@/lib/testing/catalog'
import { openTestDatabase } from '@/lib/testing/database'
import { type Closed, makeRelease, RELEASE_MOMENT } from '@/lib/testing/release'
import { DatabaseTooOld, openDatabase, rows } from '../client'
import type { Ask } from './migrated'

/** The columns of each table, in their order. */
const COLUMNS = `select relname as table, string_agg(quote_ident(attname), ', ' order by attnum) as columns
  from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition group by 1 order by 1`
type Columns = { table: string; columns: string }[]

let release: Closed
let asLeft: { catalog: string[]; tables: Columns; rows: Record<string, unknown> }
let fresh: string[]

const over =
  ({ orm }: Awaited<ReturnType<typeof openDatabase>>): Ask =>
  async (text) => ({ rows: await rows(orm, sql.raw(text)) })

/** Reads every row of tables, generated columns included. */
async function everyRow(ask: Ask, tables: Columns): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {}
  for (const { table, columns } of tables)
    all[table] = (
      await ask(
        `select to_jsonb(t)::text as row from (select ${columns} from "${table}") t order by to_jsonb(t)::text collate "C"`,
      )
    ).rows
  return all
}

/** The number of migrations that were run. */
const notes = async (ask: Ask): Promise<number> =>
  Object((await ask('select count(*)::int as n from drizzle.__drizzle_migrations')).rows[0]).n

/** The lines of a catalog that stay in later versions: of a function, its arguments and result. */
const lasting = (catalog: string[]): string[] =>
  catalog
    // Rights are given by every start.
    .filter((line) => !line.startsWith('right '))
    .map((line) => line.replace(/^(function .*?) (?:sql|plpgsql|c|internal) .*/, '$1'))
    // A number may have more digits.
    .map((line) => line.replace(/^(column \S+ \d+ numeric)(?:\(\d+,\d+\))?/, '$1'))
    // What the planner knows of a column may change, and the errors of the request log are indexed by whose they are.
    .map((line) => line.replace(/^(column .*?) statistics -?\d*/, '$1'))
    .map((line) => line.replace(/^(index CREATE INDEX request_log_errors ON \S+) .*/, '$1'))
    // Owners may come marked, and the search queue has one index: its key.
    .map((line) => line.replace(/^(trigger .*? add_owners .*?) WHEN \(.*\) (EXECUTE .*)/, '$1 $2'))
    .filter((line) => !/^(constraint|index) .*\bsearch_queue\b/.test(line))
    // What only another function called takes leads as rows.
    .filter(
      (line) => !/^function public\.(receive_leads|receive_mixed_leads|store_lead_customers)\(text,jsonb/.test(line),
    )
    // What a check allows may grow.
    .map((line) => line.replace(/^(constraint \S+ CHECK) .*/, '$1'))

beforeAll(async () => {
  release = await makeRelease()
  asLeft = await release.within(async (ask) => {
    // The dump leaves the session without a search path.
    await ask('set search_path = public')
    const tables = (await ask(COLUMNS)).rows as Columns
    return { catalog: await readCatalog(ask), tables, rows: await everyRow(ask, tables) }
  })
  const db = await openTestDatabase()
  fresh = await readCatalog(over(db))
  await db.close()
})
afterAll(() => release.drop())

test('the migrations make everything that the ones they replace made', () => {
  expect(lasting(asLeft.catalog).filter((line) => !lasting(fresh).includes(line))).toEqual([])
})

test('a database that stands before the last replaced migration is refused with what to do, and nothing changes', async () => {
  const older = await makeRelease()
  try {
    await older.within((ask) => ask(`delete from drizzle.__drizzle_migrations where created_at = ${RELEASE_MOMENT}`))
    const opening = openDatabase(older.settings)
    await expect(opening).rejects.toThrow(DatabaseTooOld)
    await expect(opening).rejects.toThrow('0063_closed_after_attack')
    const left = await older.within(async (ask) => {
      await ask('set search_path = public')
      return readCatalog(ask)
    })
    expect(left).toEqual(asLeft.catalog)
  } finally {
    await older.drop()
  }
})

test('a database of the last version with the replaced migrations starts with every row, the same schema, and no migration run twice', async () => {
  const entries: { when: number }[] = JSON.parse(readFileSync('db/migrations/meta/_journal.json', 'utf8')).entries
  const later = entries.filter(({ when }) => when > RELEASE_MOMENT).length
  const before = await release.within(notes)
  for (const start of ['first', 'second']) {
    const db = await openDatabase(release.settings)
    try {
      expect(await readCatalog(over(db)), start).toEqual(fresh)
      // Projects with notes are queued, so that a search finds those too.
      const queued = expect.arrayContaining(Object(asLeft.rows.search_queue))
      expect(await everyRow(over(db), asLeft.tables), start).toEqual({ ...asLeft.rows, search_queue: queued })
      expect(await notes(over(db)), start).toBe(before + later)
      expect(await rows(db.orm, sql`select count(*)::int as n from drizzle.applied_functions`), start).toEqual([
        { n: 1 },
      ])
    } finally {
      await db.close()
    }
  }
})

// The embedded database has one process.
test.skipIf(process.env.TEST_DRIVER === 'pglite')(
  'several processes that start on it at once replace its functions once',
  async () => {
    const started = await makeRelease()
    try {
      const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase(started.settings)))
      for (const db of opened) await db.close()
      expect(await started.within((ask) => ask('select revision from drizzle.applied_functions'))).toMatchObject({
        rows: [{ revision: expect.any(Number) }],
      })
    } finally {
      await started.drop()
    }
  },
)
