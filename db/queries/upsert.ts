import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** A column of an upsert: its Postgres type, and whether an existing row takes the new value. */
export type UpsertColumn = { column: string; type: string; update: boolean }

/** The outcome of an upsert. Rows that were neither added nor updated already existed with identical values. */
export type UpsertCounts = { added: number; updated: number }

/** A record keyed by column names. Money is a decimal string, a time is an ISO string. */
export type UpsertRecord = Record<string, string | number | null>

/**
 * Adds or updates records in one statement. They match by the columns that identify them, which for a contractor's records is
 * `source_reference`. An unchanged record is not written, so its `updated_at` stays. Table and column names must come from our own
 * code, never from a caller. Where no column takes a new value, existing records stay as they are.
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
      on conflict ${sql.raw(`(${key}) do ${changing.length === 0 ? 'nothing' : `update set ${list((c) => `${c} = excluded.${c}`, changing)} where ${changed}`}`)}
      returning (xmax = 0) as inserted`,
  )
  const added = written.filter(({ inserted }) => inserted).length
  return { added, updated: written.length - added }
}
