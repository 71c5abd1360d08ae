import { part } from '@/lib/runtime/runtime'
import type { Database, Statement, Value } from '../client'
import { FEED_STATE } from './feed-state'
import { rowsOf } from './list-shape'
import { staleFlag, turnStale } from './turning'

/** A public field and its column, by their Postgres names. Without a value it is left out of its record, as its type promises. */
export type ListColumn = {
  field: string
  column: string
  kind: 'text' | 'number' | 'instant' | 'json'
  /** Whether it may be without a value. */
  nullable: boolean
}

/** What Postgres needs to serve a resource: plain data, built once from the resource's definition. */
export type ListSource = {
  table: string
  /** What tells sources of one table apart that show different columns. */
  variant?: string
  /** The first one always has a value. */
  columns: ListColumn[]
  /** A constant SQL condition that selects the resource's rows in its table. */
  only?: string
  /** The column that holds when a time-dependent status next changes, if the resource has one. */
  turnsAt?: string
  /** Whether a page says which {@link FEED_STATE} of the contractor it belongs to, instead of its version. */
  tellsState?: true
}

/** An active filter: its column, operator and value; `in` takes values with commas. `and` is a constant condition beside it. */
export type Filter = { column: string; operator: '=' | 'in' | '>' | '>=' | '<=' | '<'; value: string; and?: string }

/** An order other than that of the last change: by a column of an SQL type, then by id. Rows without a value are left out. */
export type Sort = { column: string; type: 'numeric' | 'timestamptz' | 'date'; down: boolean }

/**
 * A position in a list: the value it is sorted by, as text, and an id. The next page begins after it. Without an id, the next page
 * begins after every item of that moment.
 */
export type Position = { at: string; id?: string | undefined }

export type PageQuery = {
  contractorId: string
  limit: number
  after: Position | undefined
  filters: Filter[]
  sort?: Sort | undefined
}

/**
 * A page as Postgres wrote it: `items` is the text of a JSON array of `count` records, and `last` is set when more items follow. `version`
 * is a number for which records these are and when each was last changed, 0 where the source tells a state; `state` is null where it does not.
 */
export type Page = {
  items: string
  count: number
  version: string
  last: { at: string; id: string } | undefined
  state: string | null
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/** Returns a public field's expression for a select list, in its output format. */
export function selected({ field, column, kind }: ListColumn): string {
  return kind === 'instant' ? `to_char(${column} at time zone 'UTC', ${ISO}) as "${field}"` : `${column} as "${field}"`
}

/** A field as arguments of `concat`, which leaves nulls out. What is nullable stands there once, as it may be a subselect. */
function memberText({ field, kind, nullable }: ListColumn, i: number): string {
  const name = `'${i === 0 ? '{' : ','}"${field}":'`
  const value = kind === 'json' ? `json_strip_nulls(to_json(p."${field}"))` : `to_json(p."${field}")`
  return nullable ? `${name} || ${value}::text` : `${name}, ${value}`
}

/**
 * Returns the SQL that turns a row `p` of the selected columns into JSON text. `json_strip_nulls(row_to_json(p))` says the same, but
 * reads again what it wrote: a fifth of a page's time.
 */
export const itemText = ({ columns }: ListSource): string => `concat(${columns.map(memberText).join(', ')}, '}')`

/**
 * Each row of a page with its number, its place in the order, and its text. The limit is read from a statement, so that Postgres does not
 * plan short pages each time, for which a plan with their number looks cheaper.
 */
function numbered(source: ListSource, query: PageQuery): string {
  const version = (at: string) => (source.tellsState ? '0' : `hashtextextended(id || ${at}, 0)`)
  const [columns, rows] = [source.columns.map(selected).join(', '), rowsOf(source, query)]
  if (!query.sort)
    return `select row_number() over () as n, "updatedAt" as at, id, ${version('"updatedAt"')} as v, ${itemText(source)} as item
      from (select ${columns} from (${rows}) l limit (select $2::int + 1)) p`
  const { column, type } = query.sort
  const at = type === 'timestamptz' ? `to_char(${column} at time zone 'UTC', ${ISO})` : `${column}::text`
  return `select row_number() over () as n, ${at} as at, id, ${version('updated_at::text')} as v,
        (select ${itemText(source)} from (select ${columns}) p) as item
      from (${rows}) l limit (select $2::int + 1)`
}

/** Returns the SQL of a page. It reads one extra row to find out whether another page follows. */
export function pageText(source: ListSource, query: PageQuery): string {
  return `select '[' || coalesce(string_agg(item, ',') filter (where n <= $2), '') || ']' as items,
    count(*) > $2 as more, max(at) filter (where n = $2) as at, max(id) filter (where n = $2) as id,
    least(count(*), $2)::int as count, ${source.tellsState ? "'0'" : 'coalesce(sum(v) filter (where n <= $2), 0)::text'} as version, ${staleFlag(source)} as stale,
    ${source.tellsState ? FEED_STATE : 'null'} as state
    from (${numbered(source, query)}) x`
}

const statements = part('pageStatements', () => new Map())

/** Returns the statement of a key, its text made once. Postgres cuts statement names at 63 bytes, so the name has a number. */
export function statementOf(key: string, textOf: () => string, brief = false): Statement {
  const known = statements().get(key)
  if (known) return known
  const made: Statement = { name: `plumbline_page_${statements().size + 1}`, text: textOf(), brief }
  statements().set(key, made)
  return made
}

/** What a statement's text depends on. */
export const shapeName = (filters: Filter[]): string =>
  filters.map(({ column, operator, and }) => `${column}${operator}${and ? '&' : ''}`).join(' ')

/** Returns the statement for a set of parts. */
function pageStatement(source: ListSource, query: PageQuery): Statement {
  const { after, sort } = query
  const place = after ? (after.id === undefined ? 'after' : 'behind') : ''
  const order = sort ? `${sort.column}${sort.down ? ' down' : ''}` : ''
  const key = [source.table, source.variant, shapeName(query.filters), place, order].join(' | ')
  // Without a filter or another order, a page is one short range of an index.
  return statementOf(key, () => pageText(source, query), query.filters.length === 0 && !sort)
}

type PageRow = {
  items: string
  count: number
  version: string
  more: boolean
  at: string | null
  id: string | null
  stale: boolean
  state: string | null
}

/**
 * Returns one page of a contractor's resource, ordered by `updated_at, id` or as asked for, in one statement. Postgres writes
 * the JSON text of the items with exactly the source's fields, so no row is built or mapped here.
 */
export async function listPage(db: Database, source: ListSource, query: PageQuery): Promise<Page> {
  const values: Value[] = [query.contractorId, query.limit]
  for (const { value } of query.filters) values.push(value)
  if (query.after) values.push(query.after.at)
  if (query.after?.id !== undefined) values.push(query.after.id)
  const [row] = await db.run<PageRow>(pageStatement(source, query), values)
  if (!row) throw new Error('an aggregate without grouping answers one row')
  if (row.stale) {
    await turnStale(db, source, query.contractorId)
    return listPage(db, source, query)
  }
  const { items, count, version, state } = row
  return { items, count, version, state, last: row.more && row.at && row.id ? { at: row.at, id: row.id } : undefined }
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
  const statement = statementOf(
    `get | ${source.table} | ${source.variant}`,
    () => `select ${itemText(source)} as item, ${staleFlag(source)} as stale
    from (select ${source.columns.map(selected).join(', ')} from ${source.table} l
      where id = $2 and contractor_id || '' = $1 ${only}) p`,
    true,
  )
  const [row] = await db.run<{ item: string; stale: boolean }>(statement, [key.contractorId, key.id])
  if (row?.stale) {
    await turnStale(db, source, key.contractorId)
    return getItem(db, source, key)
  }
  return row?.item
}
