import { type SQL, sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../client'

/** The message of a lead `l`. Older versions kept it with its project `p` alone. */
export const MESSAGE = `coalesce(l.notes, case when l.matched_by is null then p.description end)`

/** What a lead `l` says of its person that its customer `u` does not have. */
export const DIFFERENCES = `lead_differences(l, u) as differs`

/** The columns that tell a lead's person, of a lead `l`, its project `p` and its customer `u`. */
export const PERSON = `btrim(l.first_name || ' ' || l.last_name) as name, l.email, coalesce(l.phone, l.phone_raw) as phone,
  nullif(concat_ws(', ', l.address, l.city, l.state, l.zip), '') as address, left(${MESSAGE}, 10000) as message,
  l.matched_by as "matchedBy", ${DIFFERENCES}`

const STATEMENT = {
  name: 'plumbline_lead_person',
  text: `select row_to_json(x)::text as lead from (select ${PERSON}, p.id as "projectId", p.job_number as "jobNumber",
      json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'phone', u.phone,
        'address', nullif(concat_ws(', ', u.address, u.city, u.state, u.zip), '')) as customer
    from leads l join projects p on p.id = l.project_id join users u on u.id = p.customer_id
    where l.project_id = $2 and l.contractor_id = $1) x`,
}

/** Returns whom a project's lead named, beside its customer, as JSON text; undefined when no lead made the project. */
export async function leadPerson(db: Database, contractorId: string, projectId: string): Promise<string | undefined> {
  const [row] = await db.run<{ lead: string }>(STATEMENT, [contractorId, projectId])
  return row?.lead
}

/** A field of a customer that a lead may say otherwise. */
export type PersonField = 'name' | 'email' | 'phone' | 'address'

/** A customer before a lead's values were taken over. */
export type Before = { id: string } & Record<PersonField, string | null>

/**
 * Takes what a lead says over to its project's customer; a field that the lead does not have stays as it is. Returns the customer as it
 * was; undefined when no lead made the project.
 */
export async function takeOver(
  orm: Orm,
  contractorId: string,
  projectId: string,
  fields: PersonField[],
): Promise<Before | undefined> {
  const takes = (field: PersonField) => sql`${fields.includes(field)}::boolean`
  // A new street is a new address; other parts alone complete the one there is.
  const part = (ours: SQL, theirs: SQL) =>
    sql`case when not ${takes('address')} then ${ours} when l.address is not null then ${theirs} else coalesce(${theirs}, ${ours}) end`
  const [before] = await rows<Before>(
    orm,
    sql`with b as (
        select u.id, u.name, u.email, u.phone, nullif(concat_ws(', ', u.address, u.city, u.state, u.zip), '') as address
        from leads l join projects p on p.id = l.project_id join users u on u.id = p.customer_id
        where l.project_id = ${projectId} and l.contractor_id = ${contractorId} for no key update of u
      ), taken as (
        update users u set
          name = case when ${takes('name')} then btrim(l.first_name || ' ' || l.last_name) else u.name end,
          email = case when ${takes('email')} then coalesce(l.email, u.email) else u.email end,
          phone = case when ${takes('phone')} then coalesce(l.phone, u.phone) else u.phone end,
          phone_raw = case when ${takes('phone')} and l.phone is not null then l.phone_raw else u.phone_raw end,
          address = ${part(sql`u.address`, sql`l.address`)}, city = ${part(sql`u.city`, sql`l.city`)}, state = ${part(sql`u.state`, sql`l.state`)}, zip = ${part(sql`u.zip`, sql`l.zip`)}
        from b, leads l where u.id = b.id and u.contractor_id = ${contractorId} and l.project_id = ${projectId}
      ) select * from b`,
  )
  return before
}

/** How a lead's customer was found, with the project locked; undefined when no lead made the project. */
export async function lockLead(
  orm: Orm,
  contractorId: string,
  projectId: string,
): Promise<{ matchedBy: string | null; customerId: string } | undefined> {
  const [found] = await rows<{ matchedBy: string | null; customerId: string }>(
    orm,
    sql`select l.matched_by as "matchedBy", p.customer_id as "customerId"
      from leads l join projects p on p.id = l.project_id
      where l.project_id = ${projectId} and l.contractor_id = ${contractorId} for no key update of p, l`,
  )
  return found
}

/** Makes a customer of a lead's person and moves the project to it, with everything that belongs to the project. */
export async function separate(orm: Orm, contractorId: string, projectId: string, customerId: string): Promise<void> {
  await orm.execute(sql`insert into users (id, contractor_id, name, email, phone, phone_raw, address, city, state, zip, owns_project)
    select ${customerId}, contractor_id, btrim(first_name || ' ' || last_name), email, phone, phone_raw, address, city, state, zip, true
    from leads where project_id = ${projectId} and contractor_id = ${contractorId}`)
  await orm.execute(sql`update projects set customer_id = ${customerId}
    where id = ${projectId} and contractor_id = ${contractorId}`)
  await orm.execute(sql`update leads set matched_by = 'separated'
    where project_id = ${projectId} and contractor_id = ${contractorId}`)
}
