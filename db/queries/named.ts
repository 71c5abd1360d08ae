import type { Database, Value } from '../client'
import { shapeName, statementOf } from './list'
import { conditionsOf } from './list-shape'
import type { Filter, ListSource } from './list-types'

/** Records by their own ids, or by the ids of what they belong to (`of`, by column), that meet some filters. */
export type NamedQuery = {
  contractorId: string
  filters: Filter[]
  own: string[]
  of: Record<string, string[]>
  most: number
}

/** Returns SQL of the ids, each list through its own index: a lookup for each id, whatever the planner believes of how many there are. */
function namedText({ table, only }: ListSource, columns: string[], filters: Filter[]): string {
  const conditions = [...(only ? [only] : []), ...conditionsOf(filters, columns.length + 4)]
  const also = conditions.map((condition) => ` and ${condition}`).join('')
  const each = columns.map(
    (column, i) => `select t.id from unnest(string_to_array($${i + 4}, ',')) w(key)
      cross join lateral (select id from ${table} where contractor_id = $1 and ${column} = w.key${also} offset 0) t`,
  )
  const own = `select t.id from unnest(string_to_array($3, ',')) w(key)
      cross join lateral (select id from ${table} where id = w.key and contractor_id || '' = $1${also} offset 0) t`
  return `select id from (${[own, ...each].join(' union ')}) x limit $2::int`
}

/** Returns the ids of a contractor's records that are meant, at most `most` of them. */
export async function idsNamed(db: Database, source: ListSource, query: NamedQuery): Promise<string[]> {
  const { contractorId, filters, own, of, most } = query
  const columns = Object.keys(of)
  if (own.length === 0 && Object.values(of).every((ids) => ids.length === 0)) return []
  const values: Value[] = [contractorId, most, own.join(',')]
  values.push(...Object.values(of).map((ids) => ids.join(',')), ...filters.map(({ value }) => value))
  const statement = statementOf(
    `named | ${source.table} | ${source.only} | ${columns.join(' ')} | ${shapeName(filters)}`,
    () => namedText(source, columns, filters),
  )
  return (await db.run<{ id: string }>(statement, values)).map(({ id }) => id)
}
