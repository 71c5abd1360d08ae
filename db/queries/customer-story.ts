import { sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../client'
import { statementOf } from './list'

/** A note or a follow-up of a customer, on one of their projects. */
export type CustomerEntry = {
  id: string
  kind: 'note' | 'follow_up'
  projectId: string
  project: string
  text: string | null
  followUpOn: string | null
  authorName: string
  createdAt: string
}

/** Returns the newest notes and follow-ups on a customer's projects that are not undone, and how many there are. */
export async function customerEntries(
  orm: Orm,
  { contractorId, customerId, limit }: { contractorId: string; customerId: string; limit: number },
): Promise<{ count: number; items: CustomerEntry[] }> {
  const [row] = await rows<{ count: number; items: CustomerEntry[] }>(
    orm,
    sql`with found as materialized (select e.id, e.kind, e.project_id, p.name, e.text, e.follow_up_on, e.author_name, e.created_at
        from projects p join project_entries e on e.contractor_id = p.contractor_id and e.project_id = p.id and e.undone_at is null
        where p.contractor_id = ${contractorId} and p.customer_id = ${customerId})
      select (select count(*)::int from found) as count, coalesce((select json_agg(json_build_object('id', id, 'kind', kind, 'projectId', project_id,
          'project', name, 'text', text, 'followUpOn', follow_up_on, 'authorName', author_name,
          'createdAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by created_at desc, id desc)
        from (select * from found order by created_at desc, id desc limit ${limit}::int) f), '[]') as items`,
  )
  return row ?? { count: 0, items: [] }
}

const LEADS = `with found as materialized (select l.*, p.name, p.status from projects p join leads l on l.project_id = p.id
    where p.contractor_id = $1 and p.customer_id = $2)
  select json_build_object('count', (select count(*) from found), 'items', coalesce((select json_agg(json_strip_nulls(row_to_json(x))) from (
    select project_id as "projectId", name as project, status, coalesce(lead_source, source) as source, btrim(first_name || ' ' || last_name) as "leadName",
      matched_by as "matchedBy", to_char(received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "receivedAt"
    from found order by received_at desc, project_id desc limit $3::int) x), '[]'))::text as found`

/** Returns the newest leads that were matched to a customer, and how many there are, as JSON text. */
export async function customerLeads(
  db: Database,
  { contractorId, customerId, limit }: { contractorId: string; customerId: string; limit: number },
): Promise<string> {
  const statement = statementOf('customer_leads', () => LEADS)
  const [row] = await db.run<{ found: string }>(statement, [contractorId, customerId, limit])
  if (!row) throw new Error('a select of scalars answers one row')
  return row.found
}
