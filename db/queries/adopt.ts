import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** A record that an earlier version knew by `from`, and what it is known by now. */
export type Renamed = { from: string; to: string; customer: string; name: string }

/** Reports whether a contractor has projects that a load brought. */
export async function hasLoaded(orm: Orm, contractorId: string): Promise<boolean> {
  const [row] = await rows<{ has: boolean }>(
    orm,
    sql`select exists (select 1 from projects where contractor_id = ${contractorId} and source_reference is not null) as has`,
  )
  return row?.has === true
}

const given = (pairs: readonly Renamed[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p("from" text, "to" text, customer text, name text)`

/**
 * Renames records that an earlier version of the loader stored under a bare id or number, where they are the same customer's and nothing has
 * the new name yet.
 */
export async function adoptRecords(
  orm: Orm,
  contractorId: string,
  { customers, projects, invoices }: Record<'customers' | 'projects' | 'invoices', readonly Renamed[]>,
): Promise<void> {
  const free = (table: string) =>
    sql`not exists (select 1 from ${sql.identifier(table)} n where n.contractor_id = ${contractorId} and n.source_reference = p."to")`
  if (customers.length > 0)
    await orm.execute(sql`update users t set source_reference = p."to" from ${given(customers)}
      where t.contractor_id = ${contractorId} and t.source_reference = p."from" and t.name = p.name and ${free('users')}`)
  const owned = (table: string, pairs: readonly Renamed[]) =>
    sql`update ${sql.identifier(table)} t set source_reference = p."to" from ${given(pairs)}
      join users u on u.contractor_id = ${contractorId} and u.source_reference = p.customer
      where t.contractor_id = ${contractorId} and t.source_reference = p."from" and t.customer_id = coalesce(u.joined_to, u.id) and ${free(table)}`
  if (projects.length > 0) await orm.execute(owned('projects', projects))
  if (invoices.length > 0) await orm.execute(owned('analytics_invoice_records', invoices))
}

/** A stored customer as a file may state it again: by what its software knows it by, or by its name. `customer` is the one that it was joined to, or its own id. */
export type StoredCustomer = { reference: string; sourceId: string | null; name: string; customer: string }

const found = sql`id, source_reference, source_id, name, created_at, coalesce(joined_to, id) as customer`

/** Returns the stored customers that have one of these ids of their software, or one of these references; the oldest first. */
export const customersKnown = (
  orm: Orm,
  contractorId: string,
  { ids, references }: Record<'ids' | 'references', readonly string[]>,
): Promise<StoredCustomer[]> =>
  rows<StoredCustomer>(
    orm,
    sql`select source_reference as reference, source_id as "sourceId", name, customer from (
        select u.* from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as i(id)
          cross join lateral (select ${found} from users where contractor_id = ${contractorId} and source_id = i.id) u
        union
        select u.* from jsonb_array_elements_text(${JSON.stringify(references)}::jsonb) as r(reference)
          cross join lateral (select ${found} from users where contractor_id = ${contractorId} and source_reference = r.reference) u) found
      where source_reference is not null order by created_at, id`,
  )

/** Gives customers new names, by their references. */
export async function renameStored(orm: Orm, contractorId: string, names: ReadonlyMap<string, string>): Promise<void> {
  const given = JSON.stringify([...names].map(([reference, name]) => ({ reference, name })))
  await orm.execute(sql`update users t set name = p.name from jsonb_to_recordset(${given}::jsonb) as p(reference text, name text)
    where t.contractor_id = ${contractorId} and t.source_reference = p.reference and t.name is distinct from p.name`)
}
