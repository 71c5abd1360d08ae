import { type SQL, sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../../client'
import { type BackupTable, name } from './catalog'

/** Rows read at once: about 16 MB with the longest possible rows (64 KB of a lead). */
const PAGE = 250

/**
 * Unfinished uploads and files that wait to be loaded: up to 1 GB of each contractor, gone after days, and sent again by whoever sent them;
 * and what processes are at and did last. Their tables are saved empty.
 */
export const LEFT_OUT: readonly string[] = [
  'job_runs',
  'load_uploads',
  'load_parts',
  'load_drafts',
  'load_draft_files',
  'load_draft_parts',
  'work_in_hand',
]

/** The position of an identity column: the last number, and whether it was used. */
export type Sequence = { last: string; given: boolean }

/**
 * Runs `work` on a consistent read-only snapshot, whatever is written in the meantime. Values are text that does not depend on
 * the server's settings. The embedded database has one connection, so other work waits until this is done.
 */
export function atOneMoment<T>(db: Database, work: (orm: Orm) => Promise<T>): Promise<T> {
  return db.orm.transaction(
    async (tx) => {
      await plainTexts(tx)
      return work(tx)
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** Makes this transaction read and write values as text in one exact form. Also removes its statement timeout and turns off JIT. */
export async function plainTexts(tx: Orm): Promise<void> {
  await tx.execute(sql`select set_config(setting, value, true) from (values ('datestyle', 'ISO, YMD'), ('timezone', 'UTC'),
    ('intervalstyle', 'postgres'), ('extra_float_digits', '1'), ('bytea_output', 'hex'), ('jit', 'off'), ('statement_timeout', '0'),
    ('idle_in_transaction_session_timeout', '0')) as s(setting, value)`)
}

/** An expression that orders rows the same way under every server's collation. */
function ordering({ columns }: BackupTable, column: string): SQL {
  const type = columns.find((one) => one.name === column)?.type ?? ''
  return /^(text|character varying|character)\b(?!.*\[\])/.test(type) ? sql`${name(column)} collate "C"` : name(column)
}

/**
 * Yields the rows of a table in key order, read in pages. Each row is one line: a JSON array of the columns as text (null for
 * null), which Postgres reads back exactly. Needs a transaction, because the pages come from a cursor. {@link LEFT_OUT} has none.
 */
export async function* readLines(tx: Orm, table: BackupTable): AsyncGenerator<string[]> {
  if (LEFT_OUT.includes(table.name)) return
  const texts = sql.join(
    table.columns.map((column) => sql`${name(column.name)}::text`),
    sql`, `,
  )
  const order = sql.join(
    table.key.map((column) => ordering(table, column)),
    sql`, `,
  )
  await tx.execute(sql`declare backup_lines no scroll cursor for
    select to_json(array[${texts}])::text as line from ${name(table.name)} order by ${order}`)
  for (;;) {
    const page = await rows<{ line: string }>(tx, sql.raw(`fetch ${PAGE} from backup_lines`))
    if (page.length > 0) yield page.map(({ line }) => line)
    if (page.length < PAGE) break
  }
  await tx.execute(sql`close backup_lines`)
}

/** The position of a table's identity column; undefined for a table without one. Read it after the rows. */
export async function readSequence(tx: Orm, table: BackupTable): Promise<Sequence | undefined> {
  if (table.identity === null) return undefined
  const [found] = await rows<{ sequence: string }>(
    tx,
    sql`select pg_get_serial_sequence(${`public."${table.name}"`}, ${table.identity}) as sequence`,
  )
  if (!found) return undefined
  const [state] = await rows<Sequence>(
    tx,
    sql`select last_value::text as last, is_called as given from ${sql.raw(found.sequence)}`,
  )
  return state
}

/** The number of rows of each table, counted. */
export async function countRows(orm: Orm, tables: BackupTable[]): Promise<{ name: string; rows: number }[]> {
  const counts = tables.map(
    (table) => sql`select ${table.name}::text as name, count(*)::int as rows from ${name(table.name)}`,
  )
  return rows(orm, sql.join(counts, sql` union all `))
}
