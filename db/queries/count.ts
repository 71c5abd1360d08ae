import type { Database, Value } from '../client'
import { FEED_STATE } from './feed-state'
import { shapeName, statementOf } from './list'
import { conditionsOf, MOST_SORTED } from './list-shape'
import type { ListSource, PageQuery } from './list-types'

/** The SQL of sums over what a list finds, by name, beside the currency that tells them apart. */
export type Sums = { currency: string } & Record<string, string>

/**
 * The number of records a list finds, and JSON text of their sums by currency. Both are null beyond the most that are counted, so that a
 * question costs no more however many there are. `state` is the {@link FEED_STATE} they belong to.
 */
export type Counted = { count: number | null; total: string | null; state: string | null }

/** The query that is counted: what a page is a page of. Rows without a value to sort by are in neither. */
export type CountQuery = Pick<PageQuery, 'contractorId' | 'filters' | 'sort'>

function countText({ table, only }: ListSource, sums: Sums | undefined, { filters, sort }: CountQuery): string {
  const having = sort ? [`${sort.column} is not null`] : []
  const conditions = ['contractor_id = $1', ...(only ? [only] : []), ...having, ...conditionsOf(filters, 2)]
  const { currency = 'null', ...amounts } = sums ?? {}
  const named = Object.entries(amounts)
  const each = named.map(([name, text]) => `, ${text} as "${name}"`).join('')
  const summed = named.map(([name]) => `, sum("${name}") as "${name}"`).join('')
  const line = `(select line from (select currency${named.map(([name]) => `, "${name}"`).join('')}) line)`
  const total = sums ? `coalesce(json_agg(${line} order by currency), '[]')::text` : 'null'
  return `select ${FEED_STATE} as state, case when n <= ${MOST_SORTED} then n::int end as count,
      case when n <= ${MOST_SORTED} then total end as total
    from (select coalesce(sum(n), 0) as n, ${total} as total
      from (select currency, count(*) as n${summed}
        from (select ${currency} as currency${each} from ${table}
          where ${conditions.join(' and ')} limit ${MOST_SORTED + 1}) found
        group by currency) by_currency) counted`
}

/** Counts what a list finds of a contractor, and sums it by currency, in one statement. */
export async function countFound(
  db: Database,
  source: ListSource,
  sums: Sums | undefined,
  query: CountQuery,
): Promise<Counted> {
  const values: Value[] = [query.contractorId, ...query.filters.map(({ value }) => value)]
  const [row] = await db.run<Counted>(
    statementOf(
      `count | ${source.table} | ${source.only} | ${sums ? 'sums' : ''} | ${shapeName(query.filters)} | ${query.sort?.column}`,
      () => countText(source, sums, query),
    ),
    values,
  )
  if (!row) throw new Error('an aggregate without grouping answers one row')
  return row
}

/** Blocks of a table that an estimate reads, wherever they are; a few milliseconds. */
const SAMPLED_BLOCKS = 800

function estimateText({ table, only }: ListSource, { filters, sort }: CountQuery): string {
  const having = sort ? [`${sort.column} is not null`] : []
  const conditions = ['contractor_id = $1', ...(only ? [only] : []), ...having, ...conditionsOf(filters, 3)]
  const share = `least(1, ${SAMPLED_BLOCKS}.0 / greatest(pg_relation_size('${table}') / 8192, 1))`
  const isAll = filters.length === 0 && !sort
  const sampled = `(select count(*) / ${share} from ${table} tablesample system (100 * ${share}) repeatable (7)
      where ${conditions.join(' and ')})`
  return `with total as materialized (select count from change_totals where contractor_id = $1 and resource = $2
      and not exists (select from change_base where resource = $2))
    select ${isAll ? `coalesce((select count from total), ${sampled})` : `least(${sampled}, (select count from total))`}::float8 as n`
}

/**
 * Estimates how many records a list finds that are more than are counted, from a sample of the table's blocks, in a time that does not grow
 * with the table. It is never above the number of the contractor's records, which the changes feed keeps, and is that number where nothing
 * narrows the list.
 */
export async function estimateFound(
  db: Database,
  source: ListSource,
  resource: string,
  query: CountQuery,
): Promise<number> {
  const values: Value[] = [query.contractorId, resource, ...query.filters.map(({ value }) => value)]
  const key = `estimate | ${source.table} | ${source.only} | ${shapeName(query.filters)} | ${query.sort?.column}`
  const [row] = await db.run<{ n: number | null }>(
    statementOf(key, () => estimateText(source, query)),
    values,
  )
  return Math.max(MOST_SORTED + 1, Math.round(row?.n ?? 0))
}
