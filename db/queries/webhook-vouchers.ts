import { sql } from 'drizzle-orm'
import { ROLE_FOR, rolesWith } from '@/lib/core/roles'
import type { Orm } from '../client'
import { type GrantRecord, LIVE_GRANTS } from './oauth-grants'

/**
 * Pauses what nobody vouches for any more, so that whoever has lost their right is sent nothing on: the key that last set the address was
 * revoked or has expired, with its successors; the connection has ended; the person is no longer an administrator of the contractor. Somebody who
 * may looks at the address before it goes on.
 */
export async function pauseUnvouched(orm: Orm, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  const admins = sql`any(${sql.param(rolesWith(ROLE_FOR.webhooks))}::text[])`
  const holders = sql`any(${sql.param(rolesWith(ROLE_FOR.explorerKey))}::text[])`
  await orm.execute(sql`with unvouched as (
      select e.id, e.by from (select id, contractor_id, coalesce(vouched_by, created_by) as by from webhook_endpoints where state = 'active') e
      where e.by not in ('operator', 'person')
        and not exists (select from api_keys v join api_keys k on coalesce(k.lineage, k.id) = coalesce(v.lineage, v.id)
          where v.id = e.by and k.contractor_id = e.contractor_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${at})
            and (k.issued_to is null or exists (select from members m
              where m.person_id = k.issued_to and m.contractor_id = k.contractor_id and m.role = ${holders})))
        and not exists (select from ${sql.raw(LIVE_GRANTS)} and g.id = e.by and g.contractor_id = e.contractor_id and m.role = ${admins})
        and not exists (select from members m where m.person_id = e.by and m.contractor_id = e.contractor_id and m.role = ${admins}))
    update webhook_endpoints e set state = 'paused', paused_at = ${at},
      paused_reason = case when starts_with(u.by, 'key_') then 'key' when starts_with(u.by, 'grt_') then 'connection' else 'member' end
    from unvouched u where e.id = u.id and e.state = 'active' and coalesce(e.vouched_by, e.created_by) = u.by`)
}

/** Lets a connection vouch for what the person's earlier one with the same program vouched for, before that ends. */
export async function passVouching(orm: Orm, { id, contractorId, userId, clientId }: GrantRecord): Promise<void> {
  await orm.execute(sql`update webhook_endpoints e set vouched_by = ${id} from oauth_grants g
    where g.id = e.vouched_by and g.ended_at is null and e.contractor_id = ${contractorId} and g.contractor_id = ${contractorId}
      and g.person_id = ${userId} and g.client_id = ${clientId}`)
}
