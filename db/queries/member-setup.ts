import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

type Member = { contractorId: string; personId: string }

/** The things a person set up for a contractor and what still works without them, as the audit log knows it. */
export type MemberSetup = {
  keys: { id: string; name: string; mode: string; last4: string; scopes: string[]; expiresAt: string | null }[]
  webhooks: { id: string; url: string; state: 'active' | 'paused' }[]
  sources: { id: string; name: string; state: 'active' | 'paused' }[]
  connectors: { connector: string; companyName: string | null }[]
}

/** Returns SQL of whether an entry of the log says that this person did one of these things to a record. */
const did = ({ personId }: Member, events: string[]) =>
  sql`exists (select from audit_events a where a.actor_id = ${personId} and a.contractor_id = t.contractor_id
    and a.event = any(${sql.param(events)}::text[]) and a.subject = t.id)`

/**
 * Returns what a person set up for a contractor: keys whose secret they saw, webhooks and sources they made or changed, and the books they
 * connected. Explorer keys and connected programs end with a person's access.
 */
export async function memberSetup(orm: Orm, member: Member): Promise<MemberSetup> {
  const { contractorId, personId } = member
  const keys = await rows<MemberSetup['keys'][number]>(
    orm,
    sql`select t.id, t.name, t.mode, t.last4, t.scopes,
        to_char(t.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"
      from api_keys t where t.contractor_id = ${contractorId} and t.issued_to is null and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > now())
        and (${did(member, ['key_created'])} or exists (select from audit_events a where a.actor_id = ${personId}
          and a.contractor_id = t.contractor_id and a.event = 'key_rotated' and a.detail->>'successor' = t.id))
      order by t.created_at, t.id`,
  )
  const webhooks = await rows<MemberSetup['webhooks'][number]>(
    orm,
    sql`select t.id, t.url, t.state from webhook_endpoints t where t.contractor_id = ${contractorId}
      and ${did(member, ['webhook_created', 'webhook_changed', 'webhook_rotated'])} order by t.id`,
  )
  const sources = await rows<MemberSetup['sources'][number]>(
    orm,
    sql`select t.id, t.name, t.state from scheduled_sources t where t.contractor_id = ${contractorId}
      and ${did(member, ['source_created', 'source_changed'])} order by t.id`,
  )
  const connectors = await rows<MemberSetup['connectors'][number]>(
    orm,
    sql`select t.connector, t.company_name as "companyName" from connectors t where t.contractor_id = ${contractorId}
      and t.state <> 'disconnected' and (select a.actor_id from audit_events a where a.contractor_id = t.contractor_id
        and a.event = 'connector_connected' order by a.id desc limit 1) = ${personId}`,
  )
  return { keys, webhooks, sources, connectors }
}
