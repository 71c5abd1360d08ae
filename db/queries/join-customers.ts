import { type SQL, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** A customer as a person tells it from others. */
export type SimilarCustomer = {
  id: string
  name: string
  email: string | null
  phone: string | null
  address: string | null
  joined: boolean
}

/** Returns a customer's name; undefined where there is no such customer. */
export async function customerName(orm: Orm, contractorId: string, id: string): Promise<string | undefined> {
  const [row] = await rows<{ name: string }>(
    orm,
    sql`select name from users where id = ${id} and contractor_id || '' = ${contractorId} and owns_project`,
  )
  return row?.name
}

/** Waits for leads of a contractor that are looking up their customer, and holds back later ones until the transaction ends. */
export async function lockCustomers(orm: Orm, contractorId: string): Promise<void> {
  await orm.execute(
    sql`insert into job_counters (contractor_id, last) values (${contractorId}, 0) on conflict do nothing`,
  )
  await orm.execute(sql`select last from job_counters where contractor_id = ${contractorId} for update`)
}

/** Locks customers, and returns what they are joined to, by their ids. */
export async function lockJoined(
  orm: Orm,
  contractorId: string,
  ids: string[],
): Promise<Map<string, { name: string; joinedTo: string | null }>> {
  const found = await rows<{ id: string; name: string; joinedTo: string | null }>(
    orm,
    sql`select id, name, joined_to as "joinedTo" from users
      where id in (${sql.join(ids, sql`, `)}) and contractor_id || '' = ${contractorId} order by id for update`,
  )
  return new Map(found.map(({ id, ...customer }) => [id, customer]))
}

/** Returns the tables of resources whose records name a customer; what also has a project follows its project by itself. */
const ofCustomers = (orm: Orm): Promise<{ table: string }[]> =>
  rows<{ table: string }>(
    orm,
    sql`select t.tgrelid::regclass::text as "table" from pg_trigger t
      where t.tgname = 'feed_created' and exists (select 1 from pg_attribute a
        where a.attrelid = t.tgrelid and a.attname = 'customer_id' and not a.attisdropped)
      order by t.tgrelid <> 'projects'::regclass, 1`,
  )

/** Gives records another customer. @returns their ids */
async function move(orm: Orm, contractorId: string, table: string, which: SQL, to: string): Promise<string[]> {
  const moved = await rows<{ id: string }>(
    orm,
    sql`update ${sql.identifier(table)} set customer_id = ${to} where ${which} and contractor_id || '' = ${contractorId} returning id`,
  )
  return moved.map(({ id }) => id).sort()
}

/** Joins a customer, and those that were joined to it, to another: its projects and what has no project are that one's. */
export async function joinCustomer(
  orm: Orm,
  contractorId: string,
  id: string,
  to: string,
): Promise<{ projects: number }> {
  const moved: Record<string, string[]> = {}
  for (const { table } of await ofCustomers(orm)) {
    const ids = await move(orm, contractorId, table, sql`customer_id = ${id}`, to)
    if (ids.length > 0) moved[table] = ids
  }
  await orm.execute(sql`update users set joined_to = ${to}, joined_with = case when id = ${id} then ${JSON.stringify(moved)}::jsonb else joined_with end
    where (id = ${id} or joined_to = ${id}) and contractor_id || '' = ${contractorId}`)
  return { projects: moved.projects?.length ?? 0 }
}

/** Separates a customer from the one that it was joined to: it gets back what it had then, and is still there. */
export async function separateCustomer(orm: Orm, contractorId: string, id: string): Promise<{ projects: number }> {
  const [row] = await rows<{ had: Record<string, string[]> | null }>(
    orm,
    sql`update users u set joined_to = null, joined_with = null
      from (select id, joined_with from users where id = ${id} for update) o
      where u.id = o.id and u.contractor_id || '' = ${contractorId} returning o.joined_with as had`,
  )
  let projects = 0
  for (const { table } of await ofCustomers(orm)) {
    const ids = row?.had?.[table]
    if (!ids) continue
    const had = sql`id = any(array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`
    const moved = await move(orm, contractorId, table, had, id)
    if (table === 'projects') projects = moved.length
  }
  return { projects }
}

/**
 * Returns customers who may be the same person: of the same email or phone, those found by the name, and those that were joined to it.
 * @param named ids that were found by the name
 */
export const similarCustomers = (
  orm: Orm,
  contractorId: string,
  id: string,
  named: readonly string[],
): Promise<SimilarCustomer[]> =>
  rows<SimilarCustomer>(
    orm,
    sql`with one as materialized (select id, email, phone from users where id = ${id} and contractor_id || '' = ${contractorId})
      select u.id, u.name, u.email, u.phone, u.address, u.joined_to is not null as joined from users u
      where u.id in (select j.id from users j join one on j.joined_to = one.id
          union select e.id from users e join one on e.email = one.email where e.joined_to is null and e.owns_project
          union select p.id from users p join one on p.phone = one.phone where p.joined_to is null and p.owns_project
          union select n from jsonb_array_elements_text(${JSON.stringify(named)}::jsonb) n)
        and u.contractor_id || '' = ${contractorId} and u.id <> ${id}
      order by joined desc, u.name, u.id limit 10`,
  )
