import { entryName } from '@/lib/core/entry'
import { shared } from '@/lib/core/shared'
import type { Database, Statement, Value } from '../client'
import { FEED_STATE } from './feed-state'
import { rowsOf } from './list-shape'
import type { Filter, ListColumn, ListSource, Page, PageQuery } from './list-types'
import { staleFlag, updateStaleStatuses } from './stale-statuses'

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
export const itemText = ({ columns }: ListSource): string =>
  `concat(${columns
    .filter(({ hidden }) => !hidden)
    .map(memberText)
    .join(', ')}, '}')`

/**
 * Returns SQL of each row of a page with its number, its place in the order, and its text. The limit is read from a statement, so that
 * Postgres does not plan short pages each time, for which a plan with their number looks cheaper.
 */
function numbered(source: ListSource, query: PageQuery): string {
  const version = (at: string) => (source.tellsState ? '0' : `hashtextextended(id || ${at}, 0)`)
  const [columns, rows] = [source.columns.map(selected).join(', '), rowsOf(source, query)]
  // A source may call its moment of change otherwise.
  const changed = `"${source.columns.find(({ column }) => column === 'updated_at')?.field}"`
  if (!query.sort)
    return `select row_number() over () as n, ${changed} as at, id, ${version(changed)} as v, ${itemText(source)} as item
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

const statements = shared<Map<string, Statement>>('statements', () => new Map())

/**
 * Returns the statement of a key, its text made once. Postgres cuts statement names at 63 bytes, so the name has the key's first two words,
 * which say what it does and in which table, and a number.
 */
export function statementOf(key: string, textOf: () => string, brief = false): Statement {
  const known = statements().get(key)
  if (known) {
    // A key without something that the text depends on would give one list the statement of another.
    if (entryName() === 'tests' && textOf() !== known.text) throw new Error(`Two statements have the key ${key}`)
    return known
  }
  const told = /^\w+(?: \| \w+)?/.exec(key)?.[0].replace(' | ', '_').slice(0, 45)
  const made: Statement = { name: `plumbline_${told}_${statements().size + 1}`, text: textOf(), brief }
  statements().set(key, made)
  return made
}

/** Returns what a statement's text depends on. */
export const shapeName = (filters: Filter[]): string =>
  filters.map(({ column, operator, and }) => `${column}${operator}${and ? '&' : ''}`).join(' ')

/** Returns the statement for a set of parts. */
function pageStatement(source: ListSource, query: PageQuery): Statement {
  const { after, sort } = query
  const place = after ? (after.id === undefined ? 'after' : 'behind') : ''
  const order = sort ? `${sort.column}${sort.down ? ' down' : ''}` : ''
  const key = ['page', source.table, source.variant, shapeName(query.filters), place, order].join(' | ')
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
    await updateStaleStatuses(db, source, query.contractorId)
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
    await updateStaleStatuses(db, source, key.contractorId)
    return getItem(db, source, key)
  }
  return row?.item
}
