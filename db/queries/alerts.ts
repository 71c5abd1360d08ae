import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { alertSettings } from '../schema'
import { EXPLORER_KEY_PREFIX } from './retention'

export type AlertSettings = typeof alertSettings.$inferSelect

/** Returns a person's alert settings for a contractor; undefined until they choose something. */
export async function findAlertSettings(
  orm: Orm,
  contractorId: string,
  personId: string,
): Promise<AlertSettings | undefined> {
  const isTheirs = and(eq(alertSettings.contractorId, contractorId), eq(alertSettings.personId, personId))
  const [found] = await orm.select().from(alertSettings).where(isTheirs)
  return found
}

/** Saves a person's alert settings. Alerts start at the first save; later changes keep pending alerts. */
export async function saveAlertSettings(orm: Orm, settings: AlertSettings): Promise<void> {
  const { kinds, digest, byEmail, webhookUrl, dueAt } = settings
  await orm
    .insert(alertSettings)
    .values(settings)
    .onConflictDoUpdate({
      target: [alertSettings.contractorId, alertSettings.personId],
      set: { kinds, digest, byEmail, webhookUrl, dueAt },
    })
}

/** Returns one person's settings that are due, locked until the transaction ends; other processes skip them. */
export async function lockDueAlertSettings(
  orm: Orm,
  now: Date,
): Promise<(AlertSettings & { contractor: string }) | undefined> {
  const [found] = await rows<{ contractorId: string; personId: string; contractor: string }>(
    orm,
    sql`select s.contractor_id as "contractorId", s.person_id as "personId", c.name as contractor from alert_settings s
      join contractors c on c.id = s.contractor_id
      where s.due_at <= ${now.toISOString()}::timestamptz order by s.due_at limit 1 for update of s skip locked`,
  )
  if (!found) return undefined
  const settings = await findAlertSettings(orm, found.contractorId, found.personId)
  return settings && { ...settings, contractor: found.contractor }
}

/**
 * Stores the time up to which events have been reported, and when to check again.
 * @returns false when somebody else has reported them meanwhile
 */
export async function coverSettings(
  orm: Orm,
  { contractorId, personId, coveredUntil }: AlertSettings,
  covered: { coveredUntil: Date; dueAt: Date },
): Promise<boolean> {
  const isTheirs = and(eq(alertSettings.contractorId, contractorId), eq(alertSettings.personId, personId))
  const changed = await orm
    .update(alertSettings)
    .set(covered)
    .where(and(isTheirs, eq(alertSettings.coveredUntil, coveredUntil)))
    .returning({ id: alertSettings.personId })
  return changed.length > 0
}

/** A time window of a contractor; `to` is exclusive. */
export type Window = { contractorId: string; from: Date; to: Date }

const moment = (at: Date) => sql`${at.toISOString()}::timestamptz`

export type RefusedLead = { id: string; name: string | null; source: string; reason: string | null }

/** Returns leads in a window that were refused or failed by our fault; replays are not included. */
export async function refusedLeads(
  orm: Orm,
  { contractorId, from, to }: Window,
  limit: number,
): Promise<{ total: number; items: RefusedLead[] }> {
  const [found] = await rows<{ total: number; items: RefusedLead[] }>(
    orm,
    sql`with refused as (select id, lead_name as name, source, reason from lead_deliveries
        where contractor_id = ${contractorId} and outcome in ('refused', 'failed') and replay_of is null
          and received_at >= ${moment(from)} and received_at < ${moment(to)})
      select (select count(*)::int from refused) as total,
        coalesce((select json_agg(r) from (select * from refused order by id limit ${limit}) r), '[]'::json) as items`,
  )
  return found ?? { total: 0, items: [] }
}

export type ExpiringKey = { id: string; name: string; last4: string; expiresAt: string; days: number }

/** Returns live keys whose expiry came within one of `days` days during a window. The explorer's keys last an hour and are left out. */
export async function expiringKeys(
  orm: Orm,
  { contractorId, from, to }: Window,
  days: number[],
): Promise<ExpiringKey[]> {
  const steps = sql.join(
    days.map((count) => sql`(${count}::int)`),
    sql`, `,
  )
  return await rows<ExpiringKey>(
    orm,
    sql`select k.id, k.name, k.last4, to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as "expiresAt", min(d.days) as days
      from api_keys k, (values ${steps}) as d(days)
      where k.contractor_id = ${contractorId} and k.revoked_at is null and k.expires_at > ${moment(to)}
        and not starts_with(k.name, ${EXPLORER_KEY_PREFIX})
        and not exists (select from api_keys s where s.rotated_from = k.id)
        and k.expires_at - d.days * interval '1 day' >= ${moment(from)} and k.expires_at - d.days * interval '1 day' < ${moment(to)}
      group by k.id, k.name, k.last4, k.expires_at order by k.expires_at`,
  )
}

export type ErrorHour = { hour: string; requests: number; errors: number }

/**
 * Returns hours that ended within a window with many errors: at least `least`, a fifth of the requests, and three times the hourly mean
 * of the previous day.
 */
export async function errorSpikes(orm: Orm, { contractorId, from, to }: Window, least: number): Promise<ErrorHour[]> {
  return await rows<ErrorHour>(
    orm,
    sql`with hours as (select hour, sum(requests)::int as requests, sum(errors - limited)::int as errors from request_sums
        where contractor_id = ${contractorId} and hour >= ${moment(from)} - interval '26 hours' and hour < ${moment(to)} group by hour)
      select to_char(h.hour at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as hour, h.requests, h.errors from hours h
      where h.hour + interval '1 hour' >= ${moment(from)} and h.hour + interval '1 hour' < ${moment(to)}
        and h.errors >= ${least} and h.errors * 5 >= h.requests
        and h.errors > 3 * (select coalesce(sum(b.errors), 0) / 24.0 from hours b
          where b.hour < h.hour and b.hour >= h.hour - interval '24 hours')
      order by h.hour`,
  )
}

export type PausedWebhook = { id: string; url: string; reason: string }

/** Returns webhooks that were paused in a window, other than by a person. */
export async function pausedWebhooks(orm: Orm, { contractorId, from, to }: Window): Promise<PausedWebhook[]> {
  return await rows<PausedWebhook>(
    orm,
    sql`select id, url, paused_reason as reason from webhook_endpoints
      where contractor_id = ${contractorId} and state = 'paused' and paused_reason <> 'person'
        and paused_at >= ${moment(from)} and paused_at < ${moment(to)} order by id`,
  )
}

export type FailedLoad = { file: string; refused: number; isWhole: boolean; by: string }

/** Returns files whose load in a window refused rows or did not finish. */
export async function failedLoads(orm: Orm, { contractorId, from, to }: Window, limit: number): Promise<FailedLoad[]> {
  return await rows<FailedLoad>(
    orm,
    sql`select subject as file, (detail->>'refused')::int as refused, (detail->>'isWhole')::boolean as "isWhole", actor_name as by
      from audit_events where contractor_id = ${contractorId} and event = 'data_loaded' and at >= ${moment(from)} and at < ${moment(to)}
        and ((detail->>'refused')::int > 0 or (detail->>'isWhole')::boolean is false) order by id limit ${limit}`,
  )
}

export type StoppedConnector = { name: string; isOver: boolean; reason: string | null }

/** Returns connections to other software that ended in a window, or have failed since then. */
export async function stoppedConnectors(orm: Orm, { contractorId, from, to }: Window): Promise<StoppedConnector[]> {
  const within = (at: SQL) => sql`${at} >= ${moment(from)} and ${at} < ${moment(to)}`
  return await rows<StoppedConnector>(
    orm,
    sql`select connector as name, state = 'reconnect' as "isOver", error as reason from connectors
      where contractor_id = ${contractorId} and (state = 'reconnect' and ${within(sql`state_at`)}
        or state = 'connected' and ${within(sql`failing_at`)}) order by 1`,
  )
}

export type FailedSource = { id: string; name: string; pausedFor: string | null; failed: number; reason: string }

/** Returns sources of which runs failed in a window, with the latest reason, and why they were paused by themselves, if they were. */
export async function failedSources(orm: Orm, { contractorId, from, to }: Window): Promise<FailedSource[]> {
  return await rows<FailedSource>(
    orm,
    sql`select s.id, s.name, case when s.paused_at >= ${moment(from)} and s.paused_at < ${moment(to)} and s.paused_reason <> 'person' then s.paused_reason end as "pausedFor",
        count(*)::int as failed, (array_agg(r.error order by r.id desc))[1] as reason
      from source_runs r join scheduled_sources s on s.id = r.source_id
      where r.contractor_id = ${contractorId} and r.outcome = 'failed' and r.ended_at >= ${moment(from)} and r.ended_at < ${moment(to)}
      group by s.id order by s.id`,
  )
}
