import { part } from '@/lib/runtime/runtime'
import type { Database, Statement, Value } from '../client'
import { staleFlag, turnStale } from './turning'

/** A public field and its column, by their Postgres names. */
export type ListColumn = { field: string; column: string; kind: 'text' | 'number' | 'instant' }

/** What Postgres needs to serve a resource: plain data, built once from the resource's definition. */
export type ListSource = {
  table: string
  columns: ListColumn[]
  /** True when the resource has nullable fields. Null fields are then omitted, as their type promises. */
  sparse: boolean
  /** A constant SQL condition that selects the resource's rows in its table. */
  only?: string
  /** The column that holds when a time-dependent status next changes, if the resource has one. */
  turnsAt?: string
}

/** An active filter: its column, operator and value. */
export type Filter = { column: string; operator: '=' | '>=' | '<'; value: string }

/** A position in a list. The next page begins after it. Without an id, the next page begins after every item of that moment. */
export type Position = { updatedAt: string; id?: string | undefined }

export type PageQuery = { contractorId: string; limit: number; after: Position | undefined; filters: Filter[] }

/** A page as Postgres wrote it: `items` is the text of a JSON array, and `last` is set when more items follow. */
export type Page = { items: string; last: { updatedAt: string; id: string } | undefined }

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/** Returns a public field's expression for a select list, in its output format. */
export function selected({ field, column, kind }: ListColumn): string {
  return kind === 'instant' ? `to_char(${column} at time zone 'UTC', ${ISO}) as "${field}"` : `${column} as "${field}"`
}

/** Returns the SQL that turns a row `p` of the selected columns into JSON text. */
export function itemText(source: ListSource): string {
  return source.sparse ? 'json_strip_nulls(row_to_json(p))::text' : 'row_to_json(p)::text'
}

/** Columns that select few rows, the most selective first. */
const SELECTIVE = ['project_id', 'customer_id']

/**
 * Returns each filter's column as the condition uses it. When a list is filtered by project or customer, the other columns are
 * wrapped in `greatest`, so that no index fits them. The planner then has only the project's or customer's index left, which is the
 * right one whatever its statistics say.
 */
function columnsOf(filters: Filter[]): string[] {
  const by = SELECTIVE.find((name) => filters.some(({ column }) => column === name))
  return filters.map(({ column }) => (by === undefined || by === column ? column : `greatest(${column})`))
}

type Shape = { where: string; order: string }

/**
 * Selects a contractor's rows, or those in one status, as one range of the index that is in list order. No other index begins with
 * the contractor under collation "C", or with a status. The condition compares rows as a whole, because an equality on one column
 * would give the planner a row count. `belongs_to` has a high cost, so the planner picks the plan that checks the fewest rows.
 */
function inOneRange(source: ListSource, after: Position | undefined, status: Filter | undefined): Shape {
  const columns = status ? [status.column, 'contractor_id'] : ['contractor_id collate "C"']
  const values = status ? ['$3', '$1'] : ['$1']
  const next = values.length + 2
  const bound = (operator: string, more: Record<string, string>) =>
    `(${[...columns, ...Object.keys(more)].join(', ')}) ${operator} (${[...values, ...Object.values(more)].join(', ')})`
  const from = !after
    ? bound('>=', { updated_at: "'-infinity'" })
    : bound('>', { updated_at: `$${next}::timestamptz`, ...(after.id === undefined ? {} : { id: `$${next + 1}` }) })
  const parts = [from, bound('<=', { updated_at: "'infinity'" }), 'belongs_to(contractor_id, $1) is not null']
  if (source.only) parts.push(source.only)
  return { where: parts.join(' and '), order: [...columns, 'updated_at', 'id'].join(', ') }
}

// $1 is always the contractor, $2 the limit. The text depends on which parts are present, never on a value.
function shapeOf(source: ListSource, { after, filters }: Pick<PageQuery, 'after' | 'filters'>): Shape {
  const [first] = filters
  if (filters.length === 0 || (filters.length === 1 && first?.column === 'status'))
    return inOneRange(source, after, first)
  const parts = ['contractor_id = $1']
  let next = 3
  if (source.only) parts.push(source.only)
  const columns = columnsOf(filters)
  for (const [i, { operator }] of filters.entries()) parts.push(`${columns[i]} ${operator} $${next++}`)
  if (after?.id !== undefined) parts.push(`(updated_at, id) > ($${next++}::timestamptz, $${next++})`)
  else if (after) parts.push(`updated_at > $${next++}::timestamptz`)
  return { where: parts.join(' and '), order: 'updated_at, id' }
}

/** The longest page plus one row. The planner sees this number before it knows the limit. */
const LONGEST = 101

/** Returns the SQL of a page. It reads one extra row to find out whether another page follows. */
export function pageText(source: ListSource, query: PageQuery): string {
  const { where, order } = shapeOf(source, query)
  return `select '[' || coalesce(string_agg(item, ',') filter (where n <= $2), '') || ']' as items,
    count(*) > $2 as more, max(at) filter (where n = $2) as at, max(id) filter (where n = $2) as id, ${staleFlag(source)} as stale
    from (select row_number() over () as n, "updatedAt" as at, id, ${itemText(source)} as item
      from (select ${source.columns.map(selected).join(', ')} from (select * from ${source.table}
        where ${where} order by ${order} limit ${LONGEST}) l limit $2::int + 1) p) x`
}

const pageStatements = part('pageStatements', () => new Map())

/** Returns the statement for a set of parts. Its text is built once, so Postgres plans it once per connection. */
function pageStatement(source: ListSource, query: PageQuery): Statement {
  let name = source.table
  for (const { column, operator } of query.filters)
    name += operator === '=' ? `_${column}` : operator === '<' ? `_${column}_to` : `_${column}_from`
  if (query.after) name += query.after.id === undefined ? '_after' : '_behind'
  const made = pageStatements()
  let statement = made.get(name)
  if (!statement) {
    // Postgres cuts statement names at 63 bytes, so the name contains a number.
    statement = { name: `plumbline_page_${made.size + 1}`, text: pageText(source, query) }
    made.set(name, statement)
  }
  return statement
}

type PageRow = { items: string; more: boolean; at: string | null; id: string | null; stale: boolean }

/**
 * Returns one page of a contractor's resource, ordered by `updated_at, id`, in one statement and one index range. Postgres writes
 * the JSON text of the items with exactly the source's fields, so no row is built or mapped here.
 */
export async function listPage(db: Database, source: ListSource, query: PageQuery): Promise<Page> {
  const values: Value[] = [query.contractorId, query.limit]
  for (const { value } of query.filters) values.push(value)
  if (query.after) values.push(query.after.updatedAt)
  if (query.after?.id !== undefined) values.push(query.after.id)
  const [row] = await db.run<PageRow>(pageStatement(source, query), values)
  if (!row) throw new Error('an aggregate without grouping answers one row')
  if (row.stale) {
    await turnStale(db, source, query.contractorId)
    return listPage(db, source, query)
  }
  return { items: row.items, last: row.more && row.at && row.id ? { updatedAt: row.at, id: row.id } : undefined }
}

/**
 * Returns one item of a contractor as JSON text, or undefined. Another contractor's item counts as missing. The `|| ''` leaves the
 * primary key as the only usable index.
 */
export async function getItem(
  db: Database,
  source: ListSource,
  key: { contractorId: string; id: string },
): Promise<string | undefined> {
  const only = source.only ? `and ${source.only}` : ''
  const text = `select ${itemText(source)} as item, ${staleFlag(source)} as stale
    from (select ${source.columns.map(selected).join(', ')} from ${source.table}
      where id = $2 and contractor_id || '' = $1 ${only}) p`
  const statement = { name: `plumbline_get_${source.table}`, text }
  const [row] = await db.run<{ item: string; stale: boolean }>(statement, [key.contractorId, key.id])
  if (row?.stale) {
    await turnStale(db, source, key.contractorId)
    return getItem(db, source, key)
  }
  return row?.item
}
