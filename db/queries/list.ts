import type { Database, Statement, Value } from '../client'

/** One public field and the column behind it, by the names Postgres knows. */
export type ListColumn = { field: string; column: string; kind: 'text' | 'number' | 'instant' }

/** What Postgres must know to serve a resource: plain data, made once from the resource's definition. */
export type ListSource = {
  table: string
  columns: ListColumn[]
  /** True for fields that may be null: they are left out then, as the field's type promises. */
  sparse: boolean
  /** Rows that are the resource at all, as a constant SQL condition. */
  only?: string
  /** Rows whose stored status the clock has overtaken: how to know of one, and how to mend them all. */
  turning?: { column: string; turn(db: Database, contractorId: string): Promise<void> }
}

/** A filter in force: the column, how it compares, and the value. */
export type Filter = { column: string; operator: '=' | '>=' | '<'; value: string }

/** A place in the order of the list; items strictly behind it follow. Without an id: behind every item of that moment. */
export type Position = { updatedAt: string; id?: string | undefined }

export type PageQuery = { contractorId: string; limit: number; after: Position | undefined; filters: Filter[] }

/** A page as Postgres wrote it: `items` is the text of a JSON array; `last` is there when more items follow. */
export type Page = { items: string; last: { updatedAt: string; id: string } | undefined }

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

function selected({ field, column, kind }: ListColumn): string {
  return kind === 'instant' ? `to_char(${column} at time zone 'UTC', ${ISO}) as "${field}"` : `${column} as "${field}"`
}

function itemText(source: ListSource): string {
  return source.sparse ? 'json_strip_nulls(row_to_json(p))::text' : 'row_to_json(p)::text'
}

// $1 is always the contractor. The text depends on which parts are present, never on a value.
function conditions(source: ListSource, query: Pick<PageQuery, 'after' | 'filters'>, values: Value[]): string {
  const parts = ['contractor_id = $1']
  if (source.only) parts.push(source.only)
  for (const { column, operator, value } of query.filters) parts.push(`${column} ${operator} $${values.push(value)}`)
  if (query.after?.id !== undefined) {
    parts.push(`(updated_at, id) > ($${values.push(query.after.updatedAt)}::timestamptz, $${values.push(query.after.id)})`)
  } else if (query.after) {
    parts.push(`updated_at > $${values.push(query.after.updatedAt)}::timestamptz`)
  }
  return parts.join(' and ')
}

function staleFlag({ table, turning }: ListSource): string {
  return turning
    ? `(select exists (select 1 from ${table} where contractor_id = $1 and ${turning.column} <= now()))`
    : 'false'
}

const statements = new Map<string, Statement>()

/** A text gets its name once; Postgres then plans it once per connection. The number of texts is that of filter sets. */
function named(text: string): Statement {
  let statement = statements.get(text)
  if (!statement) {
    statement = { name: `plumbline_${statements.size + 1}`, text }
    statements.set(text, statement)
  }
  return statement
}

type PageRow = { items: string; more: boolean; at: string | null; id: string | null; stale: boolean }

/**
 * One page of a resource for one contractor, ordered by `updated_at, id`, in one statement and one index range. Postgres
 * writes the JSON text of the items, exactly the fields of the source, so no row is built or mapped here.
 */
export async function listPage(db: Database, source: ListSource, query: PageQuery): Promise<Page> {
  const values: Value[] = [query.contractorId, query.limit]
  const where = conditions(source, query, values)
  // One row more than the page tells whether another page follows.
  const text = `select '[' || coalesce(string_agg(item, ',') filter (where n <= $2), '') || ']' as items,
    count(*) > $2 as more, max(at) filter (where n = $2) as at, max(id) filter (where n = $2) as id, ${staleFlag(source)} as stale
    from (select row_number() over () as n, "updatedAt" as at, id, ${itemText(source)} as item
      from (select ${source.columns.map(selected).join(', ')} from ${source.table}
        where ${where} order by updated_at, id limit $2::int + 1) p) x`
  const [row] = await db.run<PageRow>(named(text), values)
  if (!row) throw new Error('an aggregate without grouping answers one row')
  if (row.stale && source.turning) {
    await source.turning.turn(db, query.contractorId)
    return listPage(db, source, query)
  }
  return { items: row.items, last: row.more && row.at && row.id ? { updatedAt: row.at, id: row.id } : undefined }
}

/** One item of a contractor by id as JSON text, or undefined; another contractor's item is as absent as none. */
export async function getItem(
  db: Database,
  source: ListSource,
  key: { contractorId: string; id: string },
): Promise<string | undefined> {
  const only = source.only ? `and ${source.only}` : ''
  const text = `select ${itemText(source)} as item, ${staleFlag(source)} as stale
    from (select ${source.columns.map(selected).join(', ')} from ${source.table}
      where contractor_id = $1 and id = $2 ${only}) p`
  const [row] = await db.run<{ item: string; stale: boolean }>(named(text), [key.contractorId, key.id])
  if (row?.stale && source.turning) {
    await source.turning.turn(db, key.contractorId)
    return getItem(db, source, key)
  }
  return row?.item
}
