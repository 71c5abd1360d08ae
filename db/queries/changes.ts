import type { Database, Statement } from '../client'
import { itemText, selected } from './list'
import type { ListSource } from './list-types'
import { staleFlag } from './stale-statuses'
import { noteTaken } from './tidy'

/** A resource as the feed reads it. */
export type FeedResource = { name: string; source: ListSource }

/** A place in a contractor's feed: behind this position. `stamp` is when the position was given, in microseconds. */
export type FeedPlace = { position: number; stamp: string }

/** A query of the feed. Without a place to begin behind, the page is empty and ends where the feed ends now. */
export type FeedQuery = {
  contractorId: string
  resources: readonly string[]
  after: FeedPlace | undefined
  limit: number
}

/** A page of the feed as Postgres wrote it: `items` and `totals` are JSON texts. */
export type FeedPage = {
  items: string
  /** The number of items. */
  n: number
  /** True when more positions of these resources follow in the feed. */
  more: boolean
  end: FeedPlace
  totals: string
  /** True when the place that was asked for is part of this feed, and everything behind it is still there. */
  known: boolean
  /** True when committed changes wait for their positions. */
  queued: boolean
  /** True when a status is out of date. */
  stale: boolean
  /** True when records of before the feed still have to be counted. */
  uncounted: boolean
}

/** The longest page plus one row. The planner sees this number before it knows the limit. */
const LONGEST = 501
const LAST_POSITION = '9223372036854775807'
const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`
export const iso = (column: string) => `to_char(${column} at time zone 'UTC', ${ISO})`
export const stamp = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint::text`

/** Returns SQL for one range of the primary key, whatever the planner believes of its columns: see inOneRange in list.ts. */
export const behind = (position: string) => `(c.contractor_id, c.resource, c.position) > ($1, w.resource, ${position})
      and (c.contractor_id, c.resource, c.position) <= ($1, w.resource, ${LAST_POSITION})
      order by c.contractor_id, c.resource, c.position`

/** A record as it is now, by its primary key; null when it is gone. */
export const recordText = ({ name, source }: FeedResource) => `when '${name}' then (select ${itemText(source)}
      from (select ${source.columns.map(selected).join(', ')} from ${source.table} l
        where id = g.record_id and contractor_id || '' = $1 ${source.only ? `and ${source.only}` : ''}) p)`

const totalText = `case when f.found then case when f.count_before is not null
        then json_build_object('count', f.count_before, 'checksum', lpad(to_hex(f.sum_before), 16, '0')) end
      when b.resource is null then json_build_object('count', coalesce(t.count, 0), 'checksum', lpad(to_hex(coalesce(t.checksum, 0)), 16, '0')) end`

/**
 * Returns SQL of resources' totals at a position: those before the next change, or the present ones when none follows. Wants the table
 * `wanted`.
 */
const totalsAt = (
  position: string,
) => `(select coalesce(json_object_agg(w.resource, ${totalText}), '{}')::text from wanted w
      left join change_base b on b.resource = w.resource
      left join change_totals t on t.contractor_id = $1 and t.resource = w.resource
      left join lateral (select true as found, c.count_before, c.sum_before from changes c
        where ${behind(position)} limit 1) f on true)`

/** Returns SQL of whether the place in $3 and $4 is part of this feed and everything behind it is still there. Wants the table `head`. */
const isKnown = (resources: readonly FeedResource[]) => `case
      when $3::bigint > coalesce((select position from head), 0) or $3::bigint < coalesce((select forgotten_to from head), 0) then false
      when $3::bigint = coalesce((select forgotten_to from head), 0) then true
      else exists (select from jsonb_array_elements_text('${JSON.stringify(resources.map(({ name }) => name))}'::jsonb) as w(resource)
        cross join lateral (select c.position, c.numbered_at from changes c
          where ${behind('$3::bigint - 1')} limit 1) c where c.position = $3::bigint and ${stamp('c.numbered_at')} = $4) end`

const WANTED = 'wanted as materialized (select value as resource from jsonb_array_elements_text($2::jsonb))'
const HEAD =
  'head as materialized (select position, numbered_at, forgotten_to from change_heads where contractor_id = $1)'

/** An item of the feed as text: what changed, when, and the record as it is now. */
const itemOf = (
  resources: readonly FeedResource[],
) => `'{"resource":"' || g.resource || '","change":"' || g.change || '","id":' || to_json(g.record_id)::text
        || coalesce(',"updatedAt":"' || ${iso('g.version')} || '"', '') || ',"at":"' || ${iso('g.numbered_at')} || '"'
        || coalesce(',"record":' || case when g.change <> 'deleted' then case g.resource ${resources.map(recordText).join('\n')} end end, '')
        || '}'`

/** An item for whoever only wants to know which record changed. */
const NAMES_ONLY = `'{"position":' || g.position || ',"resource":"' || g.resource || '","id":' || to_json(g.record_id)::text || '}'`

/**
 * Returns the SQL of a page. Everything is of one snapshot. $1 is the contractor, $2 the resources (a JSON array), $3 and $4 the place,
 * $5 the limit.
 * @param shows whether its items have the records, or only `position`, `resource` and `id`
 */
export function feedText(resources: readonly FeedResource[], shows: 'records' | 'names' = 'records'): string {
  return `with ${WANTED}, ${HEAD}, page as materialized (
      select row_number() over (order by position) as n, x.* from (
        select l.* from wanted w cross join lateral (
          select * from (select * from changes c where ${behind('$3::bigint')} limit ${LONGEST}) m limit $5::int + 1) l
        order by position limit $5::int + 1) x),
    ended as materialized (select coalesce(g.position, h.position, 0) as position, coalesce(g.numbered_at, h.numbered_at) as numbered_at,
        g.position is not null as more
      from (select 1) one left join head h on true
        left join page g on g.n = $5 and exists (select from page where n > $5))
    select '[' || coalesce((select string_agg(${shows === 'records' ? itemOf(resources) : NAMES_ONLY}, ',' order by g.n) from page g where g.n <= $5), '') || ']' as items,
      (select count(*)::int from page where n <= $5) as n,
      e.more, e.position::float8 as position, coalesce(${stamp('e.numbered_at')}, '0') as stamp,
      ${totalsAt('e.position')} as totals, ${isKnown(resources)} as known,
      exists (select from change_queue where contractor_id = $1) as queued,
      ${resources.map(({ source }) => staleFlag(source)).join(' or ')} as stale,
      exists (select from change_base) as uncounted
    from ended e`
}

type FeedRow = Omit<FeedPage, 'end'> & FeedPlace

/** Reads one page of the feed as it is, without giving positions to anything. */
export async function feedPage(db: Database, statement: Statement, query: FeedQuery): Promise<FeedPage> {
  const { contractorId, resources, after, limit } = query
  const values = [contractorId, JSON.stringify(resources), after?.position ?? 0, after?.stamp ?? '0', after ? limit : 0]
  const [row] = await db.run<FeedRow>(statement, values)
  if (!row) throw new Error('a statement without a condition answers one row')
  const { position, stamp: given, ...page } = row
  return { ...page, known: page.known || after === undefined, end: { position, stamp: given } }
}

/** Returns the SQL of the totals at a place: $1 to $4 as in {@link feedText}. */
export const totalsText = (resources: readonly FeedResource[]): string =>
  `with ${WANTED}, ${HEAD} select ${totalsAt('$3::bigint')} as totals, ${isKnown(resources)} as known`

/** Reads the totals at a place of the feed. */
export async function feedTotals(
  db: Database,
  text: string,
  { contractorId, resources, after }: Omit<FeedQuery, 'after' | 'limit'> & { after: FeedPlace },
): Promise<Pick<FeedPage, 'totals' | 'known'>> {
  const values = [contractorId, JSON.stringify(resources), after.position, after.stamp]
  const [row] = await db.run<Pick<FeedPage, 'totals' | 'known'>>({ name: 'plumbline_feed_totals', text }, values)
  if (!row) throw new Error('a statement without a condition answers one row')
  return row
}

/** Gives positions to at most `most` committed changes. @returns how many it were */
export async function numberChanges(db: Database, contractorId: string, most: number): Promise<number> {
  const statement = { name: 'plumbline_number_changes', text: 'select number_changes($1, $2) as n' }
  const [row] = await db.run<{ n: number }>(statement, [contractorId, most])
  const numbered = row?.n ?? 0
  await noteTaken(db, 'change_queue', numbered)
  return numbered
}

/** Contractors with changes that wait for their positions. */
export async function contractorsQueued(db: Database): Promise<string[]> {
  // Steps from contractor to contractor along the index, however long the queue is.
  const text = `with recursive found as (
      (select contractor_id from change_queue order by contractor_id limit 1)
      union all
      select (select q.contractor_id from change_queue q where q.contractor_id > f.contractor_id order by q.contractor_id limit 1)
      from found f where f.contractor_id is not null)
    select contractor_id as id from found where contractor_id is not null`
  const found = await db.run<{ id: string }>({ name: 'plumbline_change_queues', text }, [])
  return found.map(({ id }) => id)
}

/** Counts the next `most` records of a resource that were there before the feed. @returns whether all of every resource are counted */
export async function countRecords(db: Database, most: number): Promise<boolean> {
  const open = {
    name: 'plumbline_change_base',
    text: 'select resource from change_base order by resource limit 1',
  }
  const [next] = await db.run<{ resource: string }>(open, [])
  if (!next) return true
  await db.run({ name: 'plumbline_count_records', text: 'select count_records($1, $2)' }, [next.resource, most])
  return false
}

/** Sets every status that the clock has changed, so that the feed tells of it; those of records that somebody is writing come later. */
export async function updateAllStaleStatuses(
  db: Database,
  resources: readonly FeedResource[],
  contractorId: string,
): Promise<void> {
  for (const { source } of resources) {
    const { table, turnsAt } = source
    if (turnsAt === undefined) continue
    const text = `update ${table} set status = status where id = any(array(
      select id from ${table} where contractor_id = $1 and ${turnsAt} <= now() order by ${turnsAt} for update skip locked))`
    await db.run({ name: `plumbline_turn_free_${table}`, text }, [contractorId])
  }
}

/** Returns the SQL that finds, of contractors with the position they know, those with something new. */
export function newsText(resources: readonly FeedResource[]): string {
  const turning = resources.flatMap(({ source: { table, turnsAt } }) =>
    turnsAt === undefined
      ? []
      : [
          `(select coalesce((select ${turnsAt} <= now() from ${table}
            where contractor_id = w.contractor and ${turnsAt} is not null order by ${turnsAt} limit 1), false))`,
        ],
  )
  return `select distinct w.contractor as id from jsonb_to_recordset($1::jsonb) as w(contractor text, position bigint)
    where exists (select from change_queue q where q.contractor_id = w.contractor)
      or exists (select from change_heads h where h.contractor_id = w.contractor and h.position > w.position)
      ${turning.map((each) => `or ${each}`).join(' ')}`
}

/** Returns which of the contractors have something new: one statement, however many wait. */
export async function contractorsWithNews(
  db: Database,
  text: string,
  known: { contractor: string; position: number }[],
): Promise<string[]> {
  const found = await db.run<{ id: string }>({ name: 'plumbline_feed_news', text }, [JSON.stringify(known)])
  return found.map(({ id }) => id)
}
