import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import type { ListSource } from './list'

export type Overdue = { currency: string; amount: number; invoices: number }

/** Returns the unpaid amount of a contractor's overdue invoices per currency, the one with the most invoices first. */
export async function overdueOf(orm: Orm, contractorId: string): Promise<Overdue[]> {
  return await rows<Overdue>(
    orm,
    sql`select currency, sum(open_amount - retainage_amount)::float8 as amount, count(*)::int as invoices
      from analytics_invoice_records where status = 'overdue' and contractor_id = ${contractorId}
      group by currency order by invoices desc, currency`,
  )
}

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

export type LeadCounts = { deliveries: number; leads: number; refused: number }

/**
 * Counts the deliveries with an id from `since` on: all, those that created a lead, and those that were refused or failed and that no
 * replay has recovered.
 */
export async function leadCounts(orm: Orm, contractorId: string, since: string): Promise<LeadCounts> {
  const [row] = await rows<LeadCounts>(
    orm,
    sql`select count(*)::int as deliveries, (count(*) filter (where outcome = 'created'))::int as leads,
        (count(*) filter (where outcome in ('refused', 'failed') and not exists (select 1 from lead_deliveries r
          where r.replay_of = d.id and r.outcome in ('created', 'duplicate'))))::int as refused
      from lead_deliveries d where contractor_id = ${contractorId} and id >= ${since} and replay_of is null`,
  )
  return row ?? { deliveries: 0, leads: 0, refused: 0 }
}

/** Which of the first steps a contractor has taken. */
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
