import { part } from '@/lib/runtime/runtime'
import type { Database, Statement } from '../client'
import { itemText, type ListSource, selected, staleFlag } from './list'
import { turnStale } from './turning'

/** The records of a kind that belong to another one: `of` is the column that names it, `by` the one that dates them. */
export type NewestQuery = {
  contractorId: string
  of: string
  id: string
  by: string
  limit: number
}

/** `items` is the text of a JSON array; `more` counts those that belong there too. */
export type Newest = { items: string; more: number }

const newestText = (source: ListSource, { of, by }: Pick<NewestQuery, 'of' | 'by'>) => {
  const mine = `from ${source.table} where contractor_id = $1 and ${of} = $2${source.only ? ` and ${source.only}` : ''}`
  return `select (select '[' || coalesce(string_agg(item, ',' order by n), '') || ']' from (
      select row_number() over () as n, ${itemText(source)} as item from (
        select ${source.columns.map(selected).join(', ')} ${mine} order by ${by} desc, id desc limit $3::int) p) x) as items,
    (select greatest(count(*) - $3::int, 0)::int ${mine}) as more, ${staleFlag(source)} as stale`
}

const statements = part('newestStatements', () => new Map())

/** The statement for a relation, its text made once. Postgres cuts a name at 63 bytes, so the name is a number there. */
function newestStatement(source: ListSource, relation: Pick<NewestQuery, 'of' | 'by'>): Statement {
  const key = `${source.table} ${relation.of} ${relation.by}`
  const known = statements().get(key)
  if (known) return known
  const made = { name: `plumbline_newest_${statements().size + 1}`, text: newestText(source, relation) }
  statements().set(key, made)
  return made
}

/** The newest records of one contractor that belong to a record, exactly the fields of the source, and how many more there are. */
export async function listNewest(db: Database, source: ListSource, query: NewestQuery): Promise<Newest> {
  const { contractorId, id, limit } = query
  const [row] = await db.run<Newest & { stale: boolean }>(newestStatement(source, query), [contractorId, id, limit])
  if (!row) throw new Error('a select of scalars answers one row')
  if (row.stale) {
    await turnStale(db, source, contractorId)
    return listNewest(db, source, query)
  }
  return { items: row.items, more: row.more }
}

/** The id in a column of one of a contractor's records, if it names one. The column need not be a public field. */
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
