import { sql } from 'drizzle-orm'
import { type Database, rows } from '@/db/client'
import { firstIdAt } from '@/lib/core/ids'

/** The number of deliveries, audit entries and follow-ups, one each 15 seconds back from now. */
const OTHERS = 10_000

const isoBack = sql`now() - g * interval '15 seconds'`

/** Rows of an id each, as `i(id, g)`; ids of a noun begin with their moment. */
function idsBack(noun: 'delivery' | 'audit' | 'followUp') {
  const ids = Array.from({ length: OTHERS }, (_, g) => {
    const began = firstIdAt(noun, new Date(Date.now() - g * 15_000))
    return `${began}${String(g).padStart(16, '0')}`
  })
  return sql`jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) with ordinality as i(id, g)`
}

/** Fills the log with requests of the last 30 days, and their sums by the hour. */
async function fillLog(db: Database, contractorId: string, keyId: string, requests: number): Promise<void> {
  const endpoint = sql`(array['list_customers','list_projects','list_invoices','list_payments','get_record'])[1 + g % 5]`
  const status = sql`case when g % 50 = 0 then 429 when g % 20 = 0 then 400 when g % 1000 = 0 then 500 else 200 end`
  const at = sql`now() - (g * interval '2.5 seconds')`
  await rows(
    db.orm,
    sql`insert into request_log (id, at, contractor_id, key_id, method, path, endpoint, status, error_code, address, duration_ms)
      select (lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(g), 19, '0'))::uuid, ${at}, ${contractorId},
        ${keyId}, 'GET', '/api/v1/' || ${endpoint}, ${endpoint}, ${status}, case when ${status} >= 400 then 'bad_request' end,
        '203.0.113.' || g % 250, 3 + g % 40 from generate_series(1, ${requests}::int) g`,
  )
  await rows(
    db.orm,
    sql`insert into request_sums (contractor_id, hour, key_id, endpoint, face, status_class, requests, errors, limited, duration_ms)
      select contractor_id, date_trunc('hour', at), key_id, endpoint, 'api', status / 100, count(*), count(*) filter (where status >= 400),
        count(*) filter (where status = 429), sum(duration_ms) from request_log group by 1, 2, 3, 4, 5, 6`,
  )
}

/** Deliveries, audit entries, and leads with follow-ups that are due. */
async function fillOthers(db: Database, contractorId: string, keyId: string): Promise<void> {
  await rows(
    db.orm,
    sql`insert into lead_deliveries (id, contractor_id, key_id, request_id, source, received_at, bytes, body, outcome, status, reason, lead_name)
      select id, ${contractorId}, ${keyId}, 'req_' || g, 'zapier', ${isoBack}, 2, '{}', case when g % 4 = 0 then 'refused' else 'created' end,
        case when g % 4 = 0 then 400 else 201 end, case when g % 4 = 0 then 'phone: is required' end, 'Lead ' || g from ${idsBack('delivery')}`,
  )
  await rows(
    db.orm,
    sql`insert into audit_events (id, at, contractor_id, actor_kind, actor_name, event, subject, detail)
      select id, ${isoBack}, ${contractorId}, 'operator', 'operator', 'key_changed', ${keyId}, '{}' from ${idsBack('audit')}`,
  )
  await rows(db.orm, sql`update projects set status = 'lead' where contractor_id = ${contractorId} and id > ''`)
  await rows(
    db.orm,
    sql`insert into project_entries (id, contractor_id, project_id, kind, text, follow_up_on, author, idempotency_key, author_kind, author_name, created_at)
      select i.id, ${contractorId}, p.id, 'follow_up', 'Call', current_date - (g % 200)::int, 'operator', i.id, 'operator', 'Command line', ${isoBack}
      from ${idsBack('followUp')} join (select id, row_number() over () as at from projects where contractor_id = ${contractorId}) p on p.at = g`,
  )
}

/** A page each of a request, a delivery, a key, and of records. */
export type Samples = {
  request: string
  delivery: string
  key: string
  customer: string
  project: string
  invoice: string
}

/**
 * Fills a contractor's log with so many requests of the last 30 days, and makes ten thousand deliveries, audit entries and due follow-ups. Returns
 * one id of each kind.
 */
export async function fill(db: Database, contractorId: string, requests: number): Promise<Samples> {
  const only = async (query: ReturnType<typeof sql>) => (await rows<{ id: string }>(db.orm, query))[0]?.id ?? ''
  const key = await only(sql`select id from api_keys where contractor_id = ${contractorId} limit 1`)
  await fillLog(db, contractorId, key, requests)
  await fillOthers(db, contractorId, key)
  await rows(db.orm, sql`vacuum analyze`)
  const of = (table: string) =>
    only(sql`select id from ${sql.identifier(table)} where contractor_id = ${contractorId} order by id desc limit 1`)
  return {
    key,
    request: `req_${await of('request_log')}`,
    delivery: await of('lead_deliveries'),
    customer: await of('users'),
    project: await of('projects'),
    invoice: await of('analytics_invoice_records'),
  }
}
