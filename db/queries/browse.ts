import type { Database, Value } from '../client'
import { FEED_STATE } from './feed-state'
import { itemText, selected, shapeName, statementOf } from './list'
import { conditionsOf, merelyChecked } from './list-shape'
import type { Filter, ListSource } from './list-types'
import { staleFlag, updateStaleStatuses } from './stale-statuses'

/**
 * An order of a list by a column or an expression, and then by id. `walk` says what is read in this order where too much is found to be
 * sorted: an index of its own, the one of the list's changes, or nothing, so that the list is refused then. `implied` is the part of its own
 * index that some filters can find anything in.
 */
export type BrowseSort = {
  column: string
  type: 'numeric' | 'timestamptz' | 'date' | 'text'
  walk: 'index' | 'changes' | 'none'
  implied?: (filters: readonly Filter[]) => string | undefined
}

/** A page's bound: the value it is sorted by, as text, and an id. */
export type BrowsePlace = { key: string; id: string }

/**
 * A page of a contractor's records for the portal, which pages in both directions. `from` is the place after which it starts; `many` says that
 * more is found than is sorted for each page.
 */
export type BrowseQuery = {
  contractorId: string
  limit: number
  sort: BrowseSort
  down: boolean
  from?: BrowsePlace | undefined
  filters: Filter[]
  many: boolean
}

/** The items as the text of a JSON array, the places of the first and the last one, and whether more follow in the query's direction. */
export type BrowsePage = {
  items: string
  count: number
  more: boolean
  first: BrowsePlace | null
  last: BrowsePlace | null
}

/** The longest page plus one row. The planner sees this number before it knows the limit. */
const LONGEST = 101

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

type Keys = { source: ListSource; query: BrowseQuery; conditions: string[]; direction: string; next: number }

const ownOnly = ({ only }: ListSource) => (only ? [only] : [])

/** Returns the condition of what is behind a place; none at the start. */
function behind({ query: { sort, down, from }, next }: Keys, key: string): string[] {
  return from ? [`(${key}, id) ${down ? '<' : '>'} ($${next}::${sort.type}, $${next + 1})`] : []
}

/** Walks the index of the list's changes. The condition compares rows as a whole for the planner's sake, as in list-shape.ts. */
function alongChanges({ source, query: { down, from }, conditions, direction, next }: Keys): string {
  const [past, back, begin, end] = down ? ['<', '>', 'infinity', '-infinity'] : ['>', '<', '-infinity', 'infinity']
  const start = from
    ? `(contractor_id collate "C", updated_at, id) ${past} ($1, $${next}::timestamptz, $${next + 1})`
    : `(contractor_id collate "C", updated_at) ${past}= ($1, '${begin}')`
  const stop = `(contractor_id collate "C", updated_at) ${back}= ($1, '${end}')`
  const checked = conditions.map(merelyChecked)
  const where = [start, stop, 'belongs_to(contractor_id, $1) is not null', ...ownOnly(source), ...checked]
  const columns = ['contractor_id collate "C"', 'updated_at', 'id'].map((each) => each + direction)
  return `select id, updated_at as key from ${source.table} where ${where.join(' and ')} order by ${columns.join(', ')} limit ${LONGEST}`
}

/** Walks the order's own index. */
function alongIndex(keys: Keys): string {
  const { source, query, conditions, direction } = keys
  const { column, implied } = query.sort
  const checked = conditions.map(merelyChecked)
  const part = implied?.(query.filters) ?? `${column} is not null`
  const where = ['contractor_id = $1', ...ownOnly(source), part, ...checked, ...behind(keys, column)]
  return `select id, ${column} as key from ${source.table} where ${where.join(' and ')}
    order by ${column}${direction}, id${direction} limit ${LONGEST}`
}

/** Sorts what is found. `offset 0` keeps the planner from walking the order's index by an estimate. */
function sorted(keys: Keys): string {
  const { source, query, conditions, direction } = keys
  const { column } = query.sort
  const where = ['contractor_id = $1', ...ownOnly(source), `${column} is not null`, ...conditions].join(' and ')
  const place = behind(keys, 'key').map((each) => `where ${each}`)
  return `select id, key from (select id, ${column} as key from ${source.table} where ${where} offset 0) found
    ${place.join('')} order by key${direction}, id${direction} limit ${LONGEST}`
}

/**
 * Selects ids and keys in the order. What little is found by other indexes is sorted; what is much is met often where the order's own index is
 * walked.
 */
function keysText(source: ListSource, query: BrowseQuery): string {
  const { sort, down, filters, many } = query
  const direction = down ? ' desc' : ''
  const keys = { source, query, conditions: conditionsOf(filters, 3), direction, next: filters.length + 3 }
  const isWalked = many || filters.length === 0
  if (!isWalked || sort.walk === 'none') return sorted(keys)
  return sort.walk === 'changes' ? alongChanges(keys) : alongIndex(keys)
}

/** Returns the SQL of a page. `$1` is the contractor, `$2` the limit, then come the filters' values and the place. */
function browseText(source: ListSource, query: BrowseQuery): string {
  const direction = query.down ? ' desc' : ''
  const key = query.sort.type === 'timestamptz' ? `to_char(key at time zone 'UTC', ${ISO})` : 'key::text'
  const place = (n: string) => `(select json_build_object('key', key, 'id', id) from page where n = ${n})`
  return `with page as materialized (
      select row_number() over (order by k.key${direction}, k.id${direction}) as n, k.id, ${key} as key,
        (select ${itemText(source)} from (select ${source.columns.map(selected).join(', ')} from ${source.table} l where l.id = k.id) p) as item
      from (select * from (${keysText(source, query)}) k limit $2::int + 1) k)
    select '[' || coalesce(string_agg(item, ',' order by n) filter (where n <= $2), '') || ']' as items, least(count(*), $2)::int as count,
      count(*) > $2 as more, ${place('1')} as first, ${place('(select least(max(n), $2) from page)')} as last from page`
}

/** Returns one page of a contractor's resource in an order, with exactly the source's fields. */
export async function browsePage(db: Database, source: ListSource, query: BrowseQuery): Promise<BrowsePage> {
  const { contractorId, limit, sort, down, from, filters, many } = query
  const shape = `${shapeName(filters)} ${sort.implied?.(filters) ?? ''}`
  const statement = statementOf(
    `browse | ${source.table} ${source.variant} ${sort.column} ${down} ${from !== undefined} ${many} ${shape}`,
    () => browseText(source, query),
  )
  const values: Value[] = [contractorId, limit, ...filters.map(({ value }) => value)]
  if (from) values.push(from.key, from.id)
  const [row] = await db.run<BrowsePage>(statement, values)
  if (!row) throw new Error('an aggregate without grouping answers one row')
  return row
}

/** Returns the state that a contractor's records are in, once what the clock changes of them is stored. */
export async function recordsState(db: Database, source: ListSource, contractorId: string): Promise<string | null> {
  const statement = statementOf(
    `state | ${source.table}`,
    () => `select ${FEED_STATE} as state, ${staleFlag(source)} as stale`,
  )
  const [row] = await db.run<{ state: string | null; stale: boolean }>(statement, [contractorId])
  if (!row?.stale) return row?.state ?? null
  await updateStaleStatuses(db, source, contractorId)
  return await recordsState(db, source, contractorId)
}

/** Counts what filters find of each value of a column, up to `most`; null where there are more. */
export async function countEach(
  db: Database,
  { table, only }: ListSource,
  {
    contractorId,
    filters,
    column,
    values: each,
    most,
  }: Pick<BrowseQuery, 'contractorId' | 'filters'> & { column: string; values: readonly string[]; most: number },
): Promise<Record<string, number | null>> {
  const statement = statementOf(`each | ${table} | ${only} | ${column} | ${shapeName(filters)}`, () => {
    const conditions = [
      'contractor_id = $1',
      `${column} = s.value`,
      ...(only ? [only] : []),
      ...conditionsOf(filters, 4),
    ]
    return `select s.value, case when c.n <= $3 then c.n::int end as n from unnest(string_to_array($2, ',')) s(value)
      cross join lateral (select count(*) as n from (select from ${table} where ${conditions.join(' and ')} limit $3::int + 1) found) c`
  })
  const values: Value[] = [contractorId, each.join(','), most, ...filters.map(({ value }) => value)]
  const found = await db.run<{ value: string; n: number | null }>(statement, values)
  return Object.fromEntries(found.map(({ value, n }) => [value, n]))
}

/** Returns the names of some of a contractor's records by id; `column` has the name. `|| ''` leaves the primary key as the only usable index. */
export async function namesOf(
  db: Database,
  { table }: Pick<ListSource, 'table'>,
  column: string,
  { contractorId, ids }: { contractorId: string; ids: string[] },
): Promise<{ id: string; name: string }[]> {
  const statement = statementOf(
    `names | ${table} | ${column}`,
    () => `select id, ${column} as name from ${table}
      where id = any(array(select jsonb_array_elements_text($2::jsonb))) and contractor_id || '' = $1`,
  )
  return await db.run<{ id: string; name: string }>(statement, [contractorId, JSON.stringify(ids)])
}
