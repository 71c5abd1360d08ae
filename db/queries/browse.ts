import { part } from '@/lib/runtime/runtime'
import type { Database, Statement, Value } from '../client'
import { type Filter, itemText, type ListSource, type Position, selected, shapeName } from './list'
import { conditionsOf } from './list-shape'
import { staleFlag, turnStale } from './turning'

/**
 * A page of a contractor's records for the portal, which pages in both directions. `down` is newest first; `from` is the position on the
 * previous page after which this page starts.
 */
export type BrowseQuery = {
  contractorId: string
  limit: number
  down: boolean
  from?: Position | undefined
  filters: Filter[]
}

/** The items as the text of a JSON array, and whether more follow in the query's direction. */
export type BrowsePage = { items: string; more: boolean }

type Shape = Pick<BrowseQuery, 'down' | 'from' | 'filters'>

/**
 * Selects a contractor's rows, or those in one status, as one range of the index that is in list order, in either direction. The
 * condition compares rows as a whole for the planner's sake, as in list.ts.
 */
function inOneRange(source: ListSource, { down, from, filters: [status] }: Shape): { where: string; order: string } {
  const columns = status ? [status.column, 'contractor_id'] : ['contractor_id collate "C"']
  const values = status ? ['$3', '$1'] : ['$1']
  const next = values.length + 2
  const bound = (operator: string, more: Record<string, string>) =>
    `(${[...columns, ...Object.keys(more)].join(', ')}) ${operator} (${[...values, ...Object.values(more)].join(', ')})`
  const [begin, end] = down ? ["'infinity'", "'-infinity'"] : ["'-infinity'", "'infinity'"]
  const [behind, past] = down ? ['<', '>'] : ['>', '<']
  const start = from
    ? bound(behind, { updated_at: `$${next}::timestamptz`, id: `$${next + 1}` })
    : bound(`${behind}=`, { updated_at: begin })
  const parts = [start, bound(`${past}=`, { updated_at: end }), 'belongs_to(contractor_id, $1) is not null']
  if (source.only) parts.push(source.only)
  const order = [...columns, 'updated_at', 'id'].map((column) => (down ? `${column} desc` : column))
  return { where: parts.join(' and '), order: order.join(', ') }
}

/** Selects rows by other filters, in the same order. */
function filtered(source: ListSource, { down, from, filters }: Shape): { where: string; order: string } {
  const parts = ['contractor_id = $1', ...(source.only ? [source.only] : []), ...conditionsOf(filters, 3)]
  const next = filters.length + 3
  if (from) parts.push(`(updated_at, id) ${down ? '<' : '>'} ($${next}::timestamptz, $${next + 1})`)
  return { where: parts.join(' and '), order: down ? 'updated_at desc, id desc' : 'updated_at, id' }
}

/** The longest page plus one row. The planner sees this number before it knows the limit. */
const LONGEST = 101

/** Returns the SQL of a page. `$1` is the contractor, `$2` the limit, then come the filters' values and the position. */
function browseText(source: ListSource, shape: Shape): string {
  const [first, ...others] = shape.filters
  const isRange = others.length === 0 && (first === undefined || (first.column === 'status' && first.operator === '='))
  const { where, order } = isRange ? inOneRange(source, shape) : filtered(source, shape)
  return `select '[' || coalesce(string_agg(item, ',' order by n) filter (where n <= $2), '') || ']' as items, count(*) > $2 as more,
    ${staleFlag(source)} as stale
    from (select row_number() over () as n, ${itemText(source)} as item
      from (select ${source.columns.map(selected).join(', ')} from (select * from ${source.table}
        where ${where} order by ${order} limit ${LONGEST}) l limit $2::int + 1) p) x`
}

const statements = part('browseStatements', () => new Map())

/** Returns the statement for a shape. Its text is built once, and its name is a number, because Postgres cuts names at 63 bytes. */
function statementOf(key: string, textOf: () => string): Statement {
  const known = statements().get(key)
  if (known) return known
  const made = { name: `plumbline_browse_${statements().size + 1}`, text: textOf() }
  statements().set(key, made)
  return made
}

/** Returns one page of a contractor's resource, ordered by the last change, with exactly the source's fields. */
export async function browsePage(db: Database, source: ListSource, query: BrowseQuery): Promise<BrowsePage> {
  const { contractorId, limit, down, from, filters } = query
  const shape = shapeName(filters)
  const statement = statementOf(`${source.table} ${down} ${from !== undefined} ${shape}`, () =>
    browseText(source, query),
  )
  const values: Value[] = [contractorId, limit, ...filters.map(({ value }) => value)]
  if (from) values.push(from.at, from.id ?? '')
  const [row] = await db.run<BrowsePage & { stale: boolean }>(statement, values)
  if (!row) throw new Error('an aggregate without grouping answers one row')
  if (row.stale) {
    await turnStale(db, source, contractorId)
    return browsePage(db, source, query)
  }
  return { items: row.items, more: row.more }
}

/** Returns the names of some of a contractor's records by id; `column` has the name. `|| ''` leaves the primary key as the only usable index. */
export async function namesOf(
  db: Database,
  { table }: Pick<ListSource, 'table'>,
  column: string,
  { contractorId, ids }: { contractorId: string; ids: string[] },
): Promise<{ id: string; name: string }[]> {
  const statement = statementOf(
    `names ${table}`,
    () => `select id, ${column} as name from ${table}
      where id = any(array(select jsonb_array_elements_text($2::jsonb))) and contractor_id || '' = $1`,
  )
  return await db.run<{ id: string; name: string }>(statement, [contractorId, JSON.stringify(ids)])
}
