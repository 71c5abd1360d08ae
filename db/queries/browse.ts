import { part } from '@/lib/runtime/runtime'
import type { Database, Statement, Value } from '../client'
import { type Filter, itemText, type ListSource, type Position, selected } from './list'
import { staleFlag, turnStale } from './turning'

/**
 * A page of a contractor's records as people leaf through them. `down` is newest first; `from` is a place of the page before, which the page
 * begins behind, in that direction.
 */
export type BrowseQuery = {
  contractorId: string
  limit: number
  down: boolean
  from?: Position | undefined
  filters: Filter[]
}

/** The text of a JSON array, and whether more follow in the direction of the query. */
export type BrowsePage = { items: string; more: boolean }

type Shape = Pick<BrowseQuery, 'down' | 'from' | 'filters'>

/**
 * A contractor's rows, or those in one status, as a range of the index that has them in the order of the list, in either direction. Whole
 * rows are compared for the planner's sake, as in list.ts.
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

/** Rows that other filters leave, in the same order. */
function filtered(source: ListSource, { down, from, filters }: Shape): { where: string; order: string } {
  const parts = ['contractor_id = $1', ...(source.only ? [source.only] : [])]
  for (const [at, { column, operator }] of filters.entries()) parts.push(`${column} ${operator} $${at + 3}`)
  const next = filters.length + 3
  if (from) parts.push(`(updated_at, id) ${down ? '<' : '>'} ($${next}::timestamptz, $${next + 1})`)
  return { where: parts.join(' and '), order: down ? 'updated_at desc, id desc' : 'updated_at, id' }
}

/** The longest page plus one row: a number the planner sees before it knows the limit. */
const LONGEST = 101

/** `$1` is the contractor, `$2` the limit, then the filters' values and the place. */
function browseText(source: ListSource, shape: Shape): string {
  const [first, ...others] = shape.filters
  const isRange = others.length === 0 && (first === undefined || first.column === 'status')
  const { where, order } = isRange ? inOneRange(source, shape) : filtered(source, shape)
  return `select '[' || coalesce(string_agg(item, ',' order by n) filter (where n <= $2), '') || ']' as items, count(*) > $2 as more,
    ${staleFlag(source)} as stale
    from (select row_number() over () as n, ${itemText(source)} as item
      from (select ${source.columns.map(selected).join(', ')} from (select * from ${source.table}
        where ${where} order by ${order} limit ${LONGEST}) l limit $2::int + 1) p) x`
}

const statements = part('browseStatements', () => new Map())

/** The statement of a shape, its text made once. Postgres cuts a name at 63 bytes, so the name is a number there. */
function statementOf(key: string, textOf: () => string): Statement {
  const known = statements().get(key)
  if (known) return known
  const made = { name: `plumbline_browse_${statements().size + 1}`, text: textOf() }
  statements().set(key, made)
  return made
}

/** One page of a resource for one contractor by when its records last changed, exactly the fields of the source. */
export async function browsePage(db: Database, source: ListSource, query: BrowseQuery): Promise<BrowsePage> {
  const { contractorId, limit, down, from, filters } = query
  const shape = filters.map(({ column, operator }) => column + operator).join(' ')
  const statement = statementOf(`${source.table} ${down} ${from !== undefined} ${shape}`, () =>
    browseText(source, query),
  )
  const values: Value[] = [contractorId, limit, ...filters.map(({ value }) => value)]
  if (from) values.push(from.updatedAt, from.id ?? '')
  const [row] = await db.run<BrowsePage & { stale: boolean }>(statement, values)
  if (!row) throw new Error('an aggregate without grouping answers one row')
  if (row.stale) {
    await turnStale(db, source, contractorId)
    return browsePage(db, source, query)
  }
  return { items: row.items, more: row.more }
}

/** What some of a contractor's records are called, by their ids; `column` is the one with the name. `|| ''` leaves the primary key as the only index. */
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
