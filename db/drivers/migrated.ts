import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { OperatorError } from '../../lib/core/errors'
import { type FunctionFile, readFunctions, readRevision, takesRows } from './functions'
import { whileMigrating } from './migrating'

/** The list of migrations from Drizzle, the oldest first; `when` is the moment in milliseconds that is noted of each that ran. */
const Journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })).min(1) })
type Migration = z.infer<typeof Journal>['entries'][number]

/** The Postgres code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01'

/** The last of the migrations that the first ones of this folder replace; they have its moment. */
const LAST_REPLACED = '0063_closed_after_attack'

/** Runs a statement without parameters, or several; the rows of a single one. */
export type Ask = (text: string) => Promise<{ rows: object[] }>

/** The level of a database: the newest migration that is noted, and the newest revision of the functions. */
const Level = z.object({ noted: z.number().nullable(), functions: z.number().nullable() })

/** A database stands before the migrations that this version can run. */
export class DatabaseTooOld extends OperatorError {
  override name = 'DatabaseTooOld'
  constructor() {
    super(
      `This database was last migrated before ${LAST_REPLACED}: start the last version that has that migration (0.3) on it once, then this one. Nothing was changed.`,
    )
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  return Journal.parse(JSON.parse(await readFile(join(folder, 'migrations', 'meta', '_journal.json'), 'utf8'))).entries
}

async function levelOf(ask: Ask): Promise<z.infer<typeof Level>> {
  const { rows } = await ask(`select (select max(created_at)::float8 from drizzle.__drizzle_migrations) as noted,
    (select max(revision)::float8 from drizzle.applied_functions) as functions`)
  return Level.parse(rows[0])
}

/**
 * Reports whether every migration has been run and every function is as this version has it, or newer. One statement, so that a start on
 * existing data does not read and hash every file, nor wait for the lock of those that migrate.
 * @param folder the folder of `migrations` and `functions`
 * @throws what the driver throws, except that a database without the tables of what was run is not migrated
 */
export async function isMigrated(ask: Ask, folder: string): Promise<boolean> {
  const [migrations, { revision }] = await Promise.all([readMigrations(folder), readRevision(folder)])
  try {
    const { noted, functions } = await levelOf(ask)
    return (noted ?? 0) >= Math.max(...migrations.map(({ when }) => when)) && (functions ?? 0) >= revision
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return false
    throw error
  }
}

// Drizzle's table, as its migrator creates it: a version that uses that one may serve meanwhile. Asked for first, as creating what is there
// still needs the right to create schemas.
const NOTES = `do $$ begin
  if to_regnamespace('drizzle') is null then create schema drizzle; end if;
  if to_regclass('drizzle.__drizzle_migrations') is null then
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
  end if;
  if to_regclass('drizzle.applied_functions') is null then
    create table drizzle.applied_functions (revision int primary key, hash text not null, applied_at timestamptz not null default now());
  end if;
end $$`

/** Runs a file; an error names it. */
async function runFile(ask: Ask, place: string, text: string): Promise<void> {
  await ask(text).catch((error: unknown) => {
    throw new Error(`${place}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  })
}

async function replaceFunctions(ask: Ask, files: FunctionFile[]): Promise<void> {
  // Their bodies name each other and tables that come later.
  await ask('set local check_function_bodies = off')
  for (const { place, text } of files) await runFile(ask, `db/functions/${place}`, text)
  await ask('set local check_function_bodies = on')
}

async function runMigration(ask: Ask, folder: string, { tag, when }: Migration): Promise<void> {
  const text = await readFile(join(folder, 'migrations', `${tag}.sql`), 'utf8')
  await runFile(ask, `db/migrations/${tag}.sql`, text)
  const hash = createHash('sha256').update(text).digest('hex')
  await ask(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${when})`)
}

/**
 * Runs the migrations that a database has not run, and replaces its functions where this version's are newer; an older version leaves newer
 * ones. All of it in one transaction.
 * @param folder the folder of `migrations` and `functions`
 * @param lock a statement that waits for other processes that migrate
 * @throws DatabaseTooOld when the database stands before the first migration of the folder
 */
export const migrate = (ask: Ask, folder: string, lock?: string): Promise<void> =>
  whileMigrating(() => migrateNow(ask, folder, lock))

async function migrateNow(ask: Ask, folder: string, lock: string | undefined): Promise<void> {
  const [migrations, { revision, hash }] = await Promise.all([readMigrations(folder), readRevision(folder)])
  await ask('begin')
  try {
    if (lock) await ask(lock)
    await ask(NOTES)
    const { noted, functions } = await levelOf(ask)
    // Those that replace older ones have the moment of the last one: whoever ran that one has run them.
    if (noted !== null && noted < Math.min(...migrations.map(({ when }) => when))) throw new DatabaseTooOld()
    const missing = migrations.filter(({ when }) => when > (noted ?? 0))
    const changed = (functions ?? 0) < revision ? await readFunctions(folder) : []
    await replaceFunctions(
      ask,
      changed.filter((file) => !takesRows(file)),
    )
    for (const migration of missing) await runMigration(ask, folder, migration)
    await replaceFunctions(ask, changed.filter(takesRows))
    if (changed.length > 0)
      await ask(`insert into drizzle.applied_functions (revision, hash) values (${revision}, '${hash}')`)
    await ask('commit')
  } catch (error) {
    // The error is what counts; where the connection is gone, so is the transaction.
    await ask('rollback').catch(() => {})
    throw error
  }
}
