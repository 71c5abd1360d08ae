import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** A column of an upsert: its Postgres type, and whether a row that is there already takes the new value. */
export type UpsertColumn = { column: string; type: string; update: boolean }

/** What became of the rows; those neither added nor updated were there, the same to the last column. */
export type UpsertCounts = { added: number; updated: number }

/** A record by column names; money as decimal strings, moments as ISO strings. */
export type UpsertRecord = Record<string, string | number | null>

/**
 * Adds or updates records by what they are known again by, for a contractor's their `source_reference`, in one statement. A record that is there unchanged is not
 * written, so its `updated_at` stays. Table and columns are names from our own code, never from a caller.
 */
export async function upsertByReference(
  orm: Orm,
  table: string,
  columns: UpsertColumn[],
  records: UpsertRecord[],
  key = 'contractor_id, source_reference',
): Promise<UpsertCounts> {
  if (records.length === 0) return { added: 0, updated: 0 }
  const names = columns.map(({ column }) => column)
  const changing = columns.filter(({ update }) => update).map(({ column }) => column)
  const list = (each: (name: string) => string, of = names) => of.map(each).join(', ')
  const changed = `(${list((c) => `${table}.${c}`, changing)}) is distinct from (${list((c) => `excluded.${c}`, changing)})`
  const written = await rows<{ inserted: boolean }>(
    orm,
    sql`insert into ${sql.raw(`${table} (${list((c) => c)}) select ${list((c) => `r.${c}`)}`)}
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as ${sql.raw(`r(${columns.map(({ column, type }) => `${column} ${type}`).join(', ')})`)}
      on conflict ${sql.raw(`(${key}) do update set ${list((c) => `${c} = excluded.${c}`, changing)} where ${changed}`)}
      returning (xmax = 0) as inserted`,
  )
  const added = written.filter(({ inserted }) => inserted).length
  return { added, updated: written.length - added }
}
