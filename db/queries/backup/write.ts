import { sql } from 'drizzle-orm'
import { faultCode } from '@/lib/core/fault-code'
import type { Database, Orm } from '../../client'
import { type BackupTable, name, names } from './catalog'
import { plainTexts, type Sequence } from './read'

/** The longest wait for a lock. A server holds its locks for milliseconds, so a lock that lasts longer will not be released soon. */
const LOCK_PATIENCE = '5s'

/** An error: another connection kept using the tables. */
export class TablesInUse extends Error {
  override name = 'TablesInUse'
}

async function lockAll(tx: Orm, tables: BackupTable[]): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${LOCK_PATIENCE}, true)`)
  try {
    await tx.execute(sql`lock table ${names(tables.map((table) => table.name))} in access exclusive mode`)
  } catch (error) {
    // 55P03: lock_not_available (Postgres, appendix A).
    throw faultCode(error) === '55P03' ? new TablesInUse() : error
  }
}

/**
 * Runs a transaction in which no other connection can use the tables and the service's triggers do not fire, so that rows are
 * stored unchanged. `disable trigger user` needs the tables' owner, not a superuser. Foreign keys are still checked. Everything is
 * written or nothing is.
 * @throws TablesInUse when another connection holds one of the tables for longer than {@link LOCK_PATIENCE}
 */
export function whileFilling<T>(db: Database, tables: BackupTable[], work: (tx: Orm) => Promise<T>): Promise<T> {
  const triggers = async (tx: Orm, state: 'enable' | 'disable') => {
    for (const table of tables) await tx.execute(sql`alter table ${name(table.name)} ${sql.raw(state)} trigger user`)
  }
  return db.orm.transaction(async (tx) => {
    await plainTexts(tx)
    await lockAll(tx, tables)
    await triggers(tx, 'disable')
    const result = await work(tx)
    await triggers(tx, 'enable')
    return result
  })
}

/** Empties tables. Identity columns restart in new files, so that a rollback restores their numbers too. */
export async function emptyTables(tx: Orm, tables: BackupTable[]): Promise<void> {
  await tx.execute(sql`truncate ${names(tables.map((table) => table.name))} restart identity`)
}

/** Inserts rows given as lines from `readLines`. */
export async function writeLines(tx: Orm, { name: table, columns }: BackupTable, lines: string[]): Promise<void> {
  if (lines.length === 0) return
  const values = columns.map(({ type }, i) => sql.raw(`(line ->> ${i})::${type}`))
  await tx.execute(sql`insert into ${name(table)} (${names(columns.map((column) => column.name))}) overriding system value
    select ${sql.join(values, sql`, `)} from jsonb_array_elements(${`[${lines.join(',')}]`}::jsonb) as r(line)`)
}

/** Sets the position of an identity column. */
export async function writeSequence(tx: Orm, table: BackupTable, { last, given }: Sequence): Promise<void> {
  if (table.identity === null) return
  await tx.execute(
    sql`select setval(pg_get_serial_sequence(${`public."${table.name}"`}, ${table.identity}), ${last}::bigint, ${given}::boolean)`,
  )
}

/** Updates the planner's statistics, so that the first queries after a restore are planned well. */
export async function gatherStatistics({ orm }: Database, tables: BackupTable[]): Promise<void> {
  for (const table of tables) await orm.execute(sql`analyze ${name(table.name)}`)
}
