import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { amountOf, changedMonths, isSummed, type MonthAmount } from './month-amounts'

/** A column of an upsert: its Postgres type, whether an existing row takes the new value, and whether that follows from the project it is for. */
export type UpsertColumn = { column: string; type: string; update: boolean; follows?: true }

/** The outcome of an upsert. Rows that were neither added nor updated already existed with identical values. */
export type UpsertCounts = { added: number; updated: number }

/** The outcome, and by how much it changed the sums of months. */
export type Upserted = UpsertCounts & { moved: MonthAmount[] }

/** A record keyed by column names. Money is a decimal string, a time is an ISO string. */
export type UpsertRecord = Record<string, string | number | null>

/** The columns that identify a record, and the source that brings the records, which those that have none take. */
export type Upserting = { key?: string; source?: string | null | undefined }

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
  { key = 'contractor_id, source_reference', source }: Upserting = {},
): Promise<Upserted> {
  if (records.length === 0) return { added: 0, updated: 0, moved: [] }
  const names = columns.map(({ column }) => column)
  const changing = columns.filter(({ update }) => update).map(({ column }) => column)
  const list = (each: (name: string) => string, of = names) => of.map(each).join(', ')
  const isNew = source ? ` or ${table}.source is null` : ''
  const changed = `(${list((c) => `${table}.${c}`, changing)}) is distinct from (${list((c) => `excluded.${c}`, changing)})${isNew}`
  const sets = [
    ...changing.map((c) => `${c} = excluded.${c}`),
    ...(source ? [`source = coalesce(${table}.source, excluded.source)`] : []),
  ]
  const identity = isSummed(table) ? sql`, contractor_id, source_reference, ${amountOf(table, table)} as now` : sql``
  const [written] = await rows<Upserted>(
    orm,
    sql`with written as (insert into ${sql.raw(`${table} (${list((c) => c)}${source ? ', source' : ''}) select ${list((c) => `r.${c}`)}`)}${source ? sql`, ${source}::text` : sql``}
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as ${sql.raw(`r(${columns.map(({ column, type }) => `${column} ${type}`).join(', ')})`)}
      on conflict ${sql.raw(`(${key}) do ${changing.length === 0 ? 'nothing' : `update set ${sets.join(', ')} where ${changed}`}`)}
      returning (xmax = 0) as inserted${identity})
      select count(*) filter (where inserted)::int as added, count(*) filter (where not inserted)::int as updated, ${changedMonths(table)} as moved from written`,
  )
  return written ?? { added: 0, updated: 0, moved: [] }
}
