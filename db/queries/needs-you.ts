import { type SQL, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** Something that waits for a person: what it is called, its id, and since when or until when (ISO). */
type Waiting = { id: string; title: string; at: string }
export type WaitingCounted = { count: number; items: Waiting[] }

/** What waits is counted up to `most`, so that it costs the same however much there is; the first `shown` are told one by one. */
type Limits = { most: number; shown: number }

const instant = (at: Date) => sql`${at.toISOString()}::timestamptz`

/** The statement that finds what waits of a kind, in order. */
export type WaitingKind = SQL

/** Deliveries of leads that were refused or failed since a delivery and that no replay has recovered, the latest first. */
export const refusedLeads = ({ contractorId, since }: { contractorId: string; since: string }): WaitingKind =>
  sql`select d.id, coalesce(d.lead_name, d.source) as title, d.received_at as at from lead_deliveries d
    where d.contractor_id = ${contractorId} and d.outcome in ('refused', 'failed') and d.id >= ${since} and d.replay_of is null
      and not exists (select from lead_deliveries r where r.replay_of = d.id and r.outcome in ('created', 'duplicate'))
    order by d.id desc`

/** Files that wait to be loaded, the latest first: of runs of sources that asked questions, and those that people dropped since a moment. */
export const heldLoads = (of: { contractorId: string; sources: Date; since: Date }): WaitingKind =>
  sql`select d.id, coalesce(s.name, (select f.file from load_draft_files f where f.draft_id = d.id and f.contractor_id = d.contractor_id
      and f.role = 'dropped' order by f.id limit 1)) as title, d.created_at as at
    from load_drafts d left join scheduled_sources s on s.id = d.source_id and s.contractor_id = d.contractor_id
    where d.contractor_id = ${of.contractorId} and not d.is_dropped
      and d.created_at > case when d.source_id is null then ${instant(of.since)} else ${instant(of.sources)} end
      and exists (select from load_draft_files f where f.draft_id = d.id and f.contractor_id = d.contractor_id and f.role = 'dropped' and f.state = 'whole')
      and (d.source_id is null or exists (select from source_runs r where r.draft_id = d.id and r.source_id = d.source_id and r.outcome = 'failed'
        and r.id = (select max(n.id) from source_runs n where n.source_id = d.source_id)))
    order by d.created_at desc`

/** Webhooks that take nothing: they fail, or were paused for another reason than that a person wished it. */
export const failingWebhooks = ({ contractorId }: { contractorId: string }): WaitingKind =>
  sql`select w.id, coalesce(nullif(w.description, ''), w.url) as title, coalesce(w.paused_at, w.failing_since) as at from webhook_endpoints w
    where w.contractor_id = ${contractorId}
      and case w.state when 'active' then w.failing_since is not null else w.paused_reason is distinct from 'person' end
    order by w.id`

/** Keys that people made, work now and end before a moment, the first to end first; those that were rotated end on purpose. */
export const endingKeys = ({
  contractorId,
  now,
  before,
}: {
  contractorId: string
  now: Date
  before: Date
}): WaitingKind =>
  sql`select k.id, k.name as title, k.expires_at as at from api_keys k
    where k.contractor_id = ${contractorId} and k.revoked_at is null and k.issued_to is null
      and k.expires_at > ${instant(now)} and k.expires_at <= ${instant(before)}
      and not exists (select from api_keys n where n.rotated_from = k.id)
    order by k.expires_at`

/** Counts what waits of a kind, and tells the first of it. */
export async function countWaiting(orm: Orm, kind: WaitingKind, { most, shown }: Limits): Promise<WaitingCounted> {
  const [row] = await rows<WaitingCounted>(
    orm,
    sql`with found as materialized (select k.*, row_number() over () as nr from (${kind} limit ${most}::int) k)
      select (select count(*)::int from found) as count, coalesce((select json_agg(json_build_object('id', id, 'title', title,
        'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by nr) from found where nr <= ${shown}::int), '[]') as items`,
  )
  return row ?? { count: 0, items: [] }
}

/** Counts several kinds in one statement. */
export async function countEachWaiting<Kind extends string>(
  orm: Orm,
  kinds: readonly (readonly [Kind, WaitingKind])[],
  most: number,
): Promise<{ kind: Kind; count: number }[]> {
  const each = kinds.map(
    ([name, kind]) =>
      sql`select ${name}::text as kind, (select count(*)::int from (${kind} limit ${most}::int) k) as count`,
  )
  return await rows<{ kind: Kind; count: number }>(orm, sql.join(each, sql` union all `))
}
