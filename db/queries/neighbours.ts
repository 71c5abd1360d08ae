import type { Database } from '../client'
import { itemText, selected, statementOf } from './list'
import type { ListSource } from './list-types'
import { staleFlag, updateStaleStatuses } from './stale-statuses'

/** A query for records that belong to another record. `of` is the column with that record's id, `by` the column that dates them. */
export type NewestQuery = {
  contractorId: string
  of: string
  id: string
  by: string
  limit: number
}

/** The newest records: `items` is the text of a JSON array; `more` counts the records beyond it. */
export type Newest = { items: string; more: number }

const newestText = (source: ListSource, { of, by }: Pick<NewestQuery, 'of' | 'by'>) => {
  const mine = `from ${source.table} l where contractor_id = $1 and ${of} = $2${source.only ? ` and ${source.only}` : ''}`
  return `select (select '[' || coalesce(string_agg(item, ',' order by n), '') || ']' from (
      select row_number() over () as n, ${itemText(source)} as item from (
        select ${source.columns.map(selected).join(', ')} ${mine} order by ${by} desc, id desc limit $3::int) p) x) as items,
    (select greatest(count(*) - $3::int, 0)::int ${mine}) as more, ${staleFlag(source)} as stale`
}

/** Returns a contractor's newest records that belong to a record, with exactly the source's fields, and how many more there are. */
export async function listNewest(db: Database, source: ListSource, query: NewestQuery): Promise<Newest> {
  const { contractorId, of, id, by, limit } = query
  const statement = statementOf(`newest | ${source.table} | ${source.variant} | ${of} | ${by}`, () =>
    newestText(source, query),
  )
  const [row] = await db.run<Newest & { stale: boolean }>(statement, [contractorId, id, limit])
  if (!row) throw new Error('a select of scalars answers one row')
  if (row.stale) {
    await updateStaleStatuses(db, source, contractorId)
    return listNewest(db, source, query)
  }
  return { items: row.items, more: row.more }
}

/** Returns the id stored in a column of a contractor's record, if there is one. The column need not be a public field. */
export async function linkOf(
  db: Database,
  { table, only }: ListSource,
  column: string,
  key: { contractorId: string; id: string },
): Promise<string | undefined> {
  const text = `select ${column} as id from ${table} where contractor_id = $1 and id = $2${only ? ` and ${only}` : ''}`
  const statement = { name: `plumbline_link_${table}_${column}`, text }
  const [row] = await db.run<{ id: string | null }>(statement, [key.contractorId, key.id])
  return row?.id ?? undefined
}
