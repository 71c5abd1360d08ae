import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import type { ListSource } from './list-types'

/** Returns when a contractor's records in these lists last changed, as an ISO time; null without records. */
export async function dataChangedAt(
  orm: Orm,
  contractorId: string,
  lists: readonly Pick<ListSource, 'table' | 'only'>[],
): Promise<string | null> {
  const newest = lists.map(
    ({ table, only = 'true' }) =>
      sql`(select updated_at from ${sql.identifier(table)} where contractor_id collate "C" = ${contractorId} and ${sql.raw(only)}
        order by contractor_id collate "C" desc, updated_at desc limit 1)`,
  )
  const [row] = await rows<{ at: string | null }>(
    orm,
    sql`select to_char(greatest(${sql.join(newest, sql`, `)})
      at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
  )
  return row?.at ?? null
}

/** The first steps a contractor has taken. */
export type Begun = { load: boolean; key: boolean; request: boolean; lead: boolean; tool: boolean }

/** Returns which first steps a contractor has taken; tool calls count since a time. */
export async function begunBy(orm: Orm, contractorId: string, since: string): Promise<Begun> {
  const [row] = await rows<Begun>(
    orm,
    sql`select
      exists (select 1 from projects where contractor_id = ${contractorId} and source_reference is not null) as load,
      exists (select 1 from api_keys where contractor_id = ${contractorId} and issued_to is null) as key,
      exists (select 1 from key_addresses where contractor_id = ${contractorId} and used_at is not null) as request,
      exists (select 1 from leads where contractor_id = ${contractorId}) as lead,
      exists (select 1 from request_sums where contractor_id = ${contractorId} and hour >= ${since}::timestamptz and face = 'mcp'
        and endpoint !~ '/' and endpoint not in ('initialize', 'ping', 'other', 'answer')) as tool`,
  )
  return row ?? { load: false, key: false, request: false, lead: false, tool: false }
}
