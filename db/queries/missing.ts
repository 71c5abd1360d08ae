import { getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { type Database, type Orm, rows, withinContractor } from '../client'
import * as schema from '../schema'
import { dayColumn, deletedAmounts, isSummed, type MonthAmount } from './month-amounts'

const TABLES: unknown[] = Object.values(schema)
/** The tables whose records exports bring: those with a column for what brought a record. */
const HAS_SOURCE = new Set(
  TABLES.flatMap((each) => (is(each, PgTable) && 'source' in getTableColumns(each) ? getTableName(each) : [])),
)

/** A loaded record, by its id and its reference in the contractor's files. */
export type Loaded = { id: string; reference: string }

/** The records that a file can be complete of: those of its source, or of our own files; of a report about a period, those of its days. */
export type Brought = { source?: string | undefined; days?: { from: string | null; to: string } | undefined }

/** Returns which of a table's records those are. */
function ofBrought(table: string, { source, days }: Brought) {
  const of = source === undefined ? sql`source is null` : sql`source = ${source}`
  if (!days || !isSummed(table)) return HAS_SOURCE.has(table) ? sql`and ${of}` : sql``
  const day = sql`day_in(${sql.identifier(dayColumn(table))}, (select timezone from contractors where id = contractor_id))`
  return sql`and ${of} and ${day} between coalesce(${days.from}::date, '-infinity') and ${days.to}::date`
}

/**
 * Returns the next of a contractor's records that came from such a file, in the order of their references. Table names must come from our
 * own code.
 */
export async function loadedAfter(
  db: Database,
  table: string,
  { contractorId, after, most, ...brought }: { contractorId: string; after: string; most: number } & Brought,
): Promise<Loaded[]> {
  return rows<Loaded>(
    db.orm,
    sql`select id, source_reference as reference from ${sql.identifier(table)}
      where contractor_id = ${contractorId} and source_reference > ${after} ${ofBrought(table, brought)} order by source_reference limit ${most}`,
  )
}

/** Returns what people call records of exports, which have references of ours: their numbers or names. */
export async function namesOf(orm: Orm, table: string, ids: string[]): Promise<Map<string, string>> {
  const found = await rows<{ id: string; name: string }>(
    orm,
    sql`select id, coalesce(j ->> 'number', j ->> 'name', j ->> 'reference', source_reference) as name
      from ${sql.identifier(table)} t cross join to_jsonb(t) j where id = any(${idList(ids)})`,
  )
  return new Map(found.map(({ id, name }) => [id, name]))
}

/** A table whose rows belong to a record, and the column that names the record. */
export type Belonging = { table: string; column: string }

/** Returns the tables whose foreign keys name a table's records, so that a table added later is not forgotten. */
export const belongingTo = (orm: Orm, table: string): Promise<Belonging[]> =>
  rows<Belonging>(
    orm,
    sql`select c.conrelid::regclass::text as "table", a.attname as "column"
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = ${table}::regclass order by 1, 2`,
  )

const idList = (ids: string[]) => sql`array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

/** The result of deleting records: how many are gone with which amounts of months, and of the others, the tables that still name them. */
export type Removed = { deleted: number; kept: Map<string, string[]>; amounts: MonthAmount[] }

export type Removing = { contractorId: string; ids: string[]; parts: readonly string[] }

/**
 * Deletes records in one transaction, except those that other rows belong to. Rows of `parts` have no life of their own and go with
 * their record. The records are locked before anything is looked up, so nobody can add to one in the meantime; leads, which look up
 * their customer without a lock, wait for the lock on the job counter.
 */
export function removeRecords(
  db: Database,
  table: string,
  { step, ...removing }: Removing & { step?: string | undefined },
): Promise<Removed> {
  return withinContractor(db.orm, removing.contractorId, (orm) => removeWithin(orm, table, removing), { step })
}

/** The same within a transaction behind the contractor's fence. */
export async function removeWithin(orm: Orm, table: string, { contractorId, ids, parts }: Removing): Promise<Removed> {
  if (table === 'users') {
    await orm.execute(
      sql`insert into job_counters (contractor_id, last) values (${contractorId}, 0) on conflict do nothing`,
    )
    await orm.execute(sql`select last from job_counters where contractor_id = ${contractorId} for update`)
  }
  const found = await rows<{ id: string }>(
    orm,
    sql`select id from ${sql.identifier(table)} where id = any(${idList(ids)}) and contractor_id || '' = ${contractorId} order by id for update`,
  )
  const kept = new Map<string, string[]>()
  const belonging = await belongingTo(orm, table)
  const own = belonging.filter((each) => parts.includes(each.table))
  // The limit keeps this one index lookup for each record, whatever the planner expects.
  for (const each of belonging.filter((child) => !own.includes(child)))
    for (const { id } of await rows<{ id: string }>(
      orm,
      sql`select r.id from jsonb_array_elements_text(${JSON.stringify(found.map(({ id }) => id))}::jsonb) as r(id)
        cross join lateral (select 1 from ${sql.identifier(each.table)} c where c.${sql.identifier(each.column)} = r.id limit 1) c`,
    ))
      kept.set(id, [...(kept.get(id) ?? []), each.table])
  const gone = found.flatMap(({ id }) => (kept.has(id) ? [] : [id]))
  if (gone.length === 0) return { deleted: 0, kept, amounts: [] }
  for (const part of own)
    await orm.execute(
      sql`delete from ${sql.identifier(part.table)} where ${sql.identifier(part.column)} = any(${idList(gone)})`,
    )
  const amounts = await deletedAmounts(orm, table, sql`id = any(${idList(gone)})`)
  return { deleted: gone.length, kept, amounts }
}
