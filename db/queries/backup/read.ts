import { type SQL, sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../../client'
import { type BackupTable, name } from './catalog'

/** Rows taken at once: with the longest rows there are (64 KB of a lead) about 16 MB. */
const PAGE = 250

/** Where an identity column's numbers stand: what was given last, and whether it was given. */
export type Sequence = { last: string; given: boolean }

/**
 * One moment of the database, read only, whatever is written meanwhile. Texts of values do not depend on the server's settings in it.
 * The embedded database has one connection: others wait until `work` is done.
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

/** Makes this transaction write and read texts of values in one exact form; also lets a statement take as long as it needs, without compiling it. */
export async function plainTexts(tx: Orm): Promise<void> {
  await tx.execute(sql`select set_config(setting, value, true) from (values ('datestyle', 'ISO, YMD'), ('timezone', 'UTC'),
    ('intervalstyle', 'postgres'), ('extra_float_digits', '1'), ('bytea_output', 'hex'), ('jit', 'off'), ('statement_timeout', '0'),
    ('idle_in_transaction_session_timeout', '0')) as s(setting, value)`)
}

/** A column that orders rows in the same way under every server's collation. */
function ordering({ columns }: BackupTable, column: string): SQL {
  const type = columns.find((one) => one.name === column)?.type ?? ''
  return /^(text|character varying|character)\b(?!.*\[\])/.test(type) ? sql`${name(column)} collate "C"` : name(column)
}

/**
 * The rows of a table in the order of its key, a page at a time, each as one line: a JSON array of the columns' own texts (null for
 * null), which Postgres reads back exactly. Wants a transaction: the pages come from a cursor.
 */
export async function* readLines(tx: Orm, table: BackupTable): AsyncGenerator<string[]> {
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

/** Where the numbers of a table's identity column stand; undefined for a table without one. Asked after its rows were read. */
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

/** How many rows each table has, counted. */
export async function countRows(orm: Orm, tables: BackupTable[]): Promise<{ name: string; rows: number }[]> {
  const counts = tables.map(
    (table) => sql`select ${table.name}::text as name, count(*)::int as rows from ${name(table.name)}`,
  )
  return rows(orm, sql.join(counts, sql` union all `))
}
