import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** The records related to a logged request: its key with the person who created it, and its delivery to the lead webhook. */
export type RequestLinks = {
  key: { name: string; last4: string; madeBy: string | null } | null
  delivery: { id: string; outcome: string; name: string | null } | null
}

/**
 * Returns the records related to a request. The audit log says who created the first key of a chain of rotations; an explorer key names
 * its person itself.
 */
export async function findRequestLinks(
  orm: Orm,
  { contractorId, requestId, keyId }: { contractorId: string; requestId: string; keyId: string | null },
): Promise<RequestLinks> {
  const [found] = await rows<RequestLinks>(
    orm,
    sql`select
      (select json_build_object('name', k.name, 'last4', k.last4, 'madeBy', coalesce(
          (select p.name || ' <' || p.email || '>' from people p where p.id = k.issued_to),
          (select a.actor_name from audit_events a where a.subject = coalesce(k.lineage, k.id) and a.event = 'key_created'
            and a.contractor_id = k.contractor_id order by a.id limit 1)))
        from api_keys k where k.id = ${keyId} and k.contractor_id = ${contractorId}) as key,
      (select json_build_object('id', d.id, 'outcome', d.outcome, 'name', d.lead_name) from lead_deliveries d
        where d.contractor_id = ${contractorId} and d.request_id = ${requestId} and d.replay_of is null
        order by d.id limit 1) as delivery`,
  )
  return found ?? { key: null, delivery: null }
}
