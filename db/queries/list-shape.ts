import { fromDay, untilDay } from './days'
import type { Filter, ListSource, PageQuery, Position } from './list-types'

/** The longest page plus one row. The planner sees this number before it knows the limit. */
const LONGEST = 101

/** The most found rows that are sorted in memory, or counted and summed; beyond them the order's own index is walked. */
export const MOST_SORTED = 10_000

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

/** The time zone of the contractor that is asked for. */
const ZONE = '(select timezone from contractors where id = $1)'

/** The comparisons that are more than an operator between a column and a parameter. */
const COMPARISONS: Partial<Record<Filter['operator'], (column: string, parameter: string) => string>> = {
  in: (column, parameter) => `${column} = any(string_to_array(${parameter}, ','))`,
  'from day': (column, parameter) => fromDay(column, parameter, ZONE),
  'to day': (column, parameter) => untilDay(column, parameter, ZONE),
  'of source': (column, parameter) =>
    `${column} in (select project_id from leads where contractor_id = $1 and coalesce(lead_source, source) = ${parameter})`,
}

const comparison = ({ operator, and }: Filter, column: string, at: number): string =>
  (COMPARISONS[operator]?.(column, `$${at}`) ?? `${column} ${operator} $${at}`) +
  (and === undefined ? '' : ` and ${and}`)

/** The conditions of some filters, whose values begin at a parameter. */
export function conditionsOf(filters: Filter[], first: number): string[] {
  const columns = columnsOf(filters)
  return filters.map((filter, i) => comparison(filter, columns[i] ?? filter.column, first + i))
}

/** A condition as one that no index fits, and that the planner takes to hold for nearly all rows. */
export const merelyChecked = (condition: string) => `nullif(${condition}, false) is not null`

/**
 * Selects a contractor's rows, or those in one status, as one range of the index that is in list order. No other index begins with
 * the contractor under collation "C", or with a status. The condition compares rows as a whole, because an equality on one column
 * would give the planner a row count. `belongs_to` has a high cost, so the planner picks the plan that checks the fewest rows.
 */
function inOneRange(
  source: ListSource,
  after: Position | undefined,
  status: [column: string, value: string] | undefined,
) {
  const columns = status ? [status[0], 'contractor_id'] : ['contractor_id collate "C"']
  const values = status ? [status[1], '$1'] : ['$1']
  const next = status ? 4 : 3
  const bound = (operator: string, more: Record<string, string>) =>
    `(${[...columns, ...Object.keys(more)].join(', ')}) ${operator} (${[...values, ...Object.values(more)].join(', ')})`
  const from = !after
    ? bound('>=', { updated_at: "'-infinity'" })
    : bound('>', { updated_at: `$${next}::timestamptz`, ...(after.id === undefined ? {} : { id: `$${next + 1}` }) })
  const parts = [from, bound('<=', { updated_at: "'infinity'" }), 'belongs_to(contractor_id, $1) is not null']
  if (source.only) parts.push(source.only)
  return `select * from ${source.table} where ${parts.join(' and ')}
    order by ${[...columns, 'updated_at', 'id'].join(', ')} limit ${LONGEST}`
}

/**
 * Selects a contractor's rows, last changed until a moment, as one range of the same index. The moments and the id are SQL; how many rows
 * is in the text, as for pages. `belongs_to` looks so expensive that Postgres would start a worker for each page, which takes longer than
 * the page: a statement that calls `set_config` runs in one process, and the setting means nothing to anybody.
 */
export function rangeOf(
  { table, only }: ListSource,
  { after, until, most }: { after: [at: string, id: string] | undefined; until: string; most: number },
): string {
  const from = after ? `> ($1, ${after.join(', ')})` : `>= ($1, '-infinity'::timestamptz, '')`
  return `select * from ${table} where (contractor_id collate "C", updated_at, id) ${from}
    and (contractor_id collate "C", updated_at) <= ($1, ${until}) and belongs_to(contractor_id, $1) is not null
    and (select set_config('plumbline.one_process', 'on', true)) is not null
    ${only === undefined ? '' : `and ${only}`} order by contractor_id collate "C", updated_at, id limit ${most}`
}

/** The page of each status by itself, as one range each, and then the first of all of them. */
const inRanges = (source: ListSource, after: Position | undefined, column: string) => `
  select t.* from unnest(string_to_array($3, ',')) s(value)
    cross join lateral (${inOneRange(source, after, [column, 's.value'])}) t
  order by t.updated_at, t.id limit ${LONGEST}`

function inUsualOrder(source: ListSource, { after, filters }: PageQuery): string {
  const [first] = filters
  if (filters.length === 0) return inOneRange(source, after, undefined)
  if (filters.length === 1 && first?.column === 'status')
    return first.operator === 'in'
      ? inRanges(source, after, first.column)
      : inOneRange(source, after, [first.column, '$3'])
  const parts = ['contractor_id = $1', ...(source.only ? [source.only] : []), ...conditionsOf(filters, 3)]
  const next = filters.length + 3
  if (after?.id !== undefined) parts.push(`(updated_at, id) > ($${next}::timestamptz, $${next + 1})`)
  else if (after) parts.push(`updated_at > $${next}::timestamptz`)
  return `select * from ${source.table} where ${parts.join(' and ')} order by updated_at, id limit ${LONGEST}`
}

/**
 * Rows in an order asked for. Without filters that is a range of the order's own index; while the whole table is short, below about
 * 20,000 rows, the planner may sort the contractor's rows instead. With filters, whatever they find is sorted
 * when it is little; when it is much, the order's index is walked, where such rows are then met often. Postgres runs only one of
 * the two, because the condition between them names no row.
 */
function inOrder(
  source: ListSource,
  { filters, after }: PageQuery,
  { column, type, down }: NonNullable<PageQuery['sort']>,
) {
  const next = filters.length + 3
  const direction = down ? ' desc' : ''
  const behind = (key: string) => (after ? [`(${key}, id) ${down ? '<' : '>'} ($${next}::${type}, $${next + 1})`] : [])
  const mine = ['contractor_id = $1', ...(source.only ? [source.only] : []), `${column} is not null`]
  const order = `order by ${column}${direction}, id${direction} limit ${LONGEST}`
  if (filters.length === 0)
    return `select * from ${source.table} where ${[...mine, ...behind(column)].join(' and ')} ${order}`
  const conditions = conditionsOf(filters, 3)
  const walked = [...mine, ...conditions.map(merelyChecked), ...behind(column), '(select answer from many)']
  const sorted = ['not (select answer from many)', ...behind('key')]
  return `select t.* from (
    with found as materialized (
      select id, ${column} as key from ${source.table} where ${[...mine, ...conditions].join(' and ')}
      limit ${MOST_SORTED + 1}),
    many as materialized (select count(*) > ${MOST_SORTED} as answer from found)
    (select id from found where ${sorted.join(' and ')} order by key${direction}, id${direction} limit ${LONGEST})
    union all (select id from ${source.table} where ${walked.join(' and ')} ${order})) x
    cross join lateral (select * from ${source.table} where id = x.id offset 0) t
    order by t.${column}${direction}, t.id${direction} limit ${LONGEST}`
}

/**
 * Returns the statement of the rows of a page and of one row more. $1 is always the contractor, $2 the limit. The text depends on
 * which parts are present, never on a value.
 */
export const rowsOf = (source: ListSource, query: PageQuery): string =>
  query.sort ? inOrder(source, query, query.sort) : inUsualOrder(source, query)
