import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** The owner of objects: a contractor's connection to one company's books. */
export type Books = { contractorId: string; connector: string; company: string }

/** A link from an object to one of our records, by the record's reference. `owner` is the customer's reference of a job. */
export type Link = {
  entity: string
  externalId: string
  part: string
  resource: string
  reference: string
  owner: string | null
}

const inBooks = ({ contractorId, connector, company }: Books) =>
  sql`l.contractor_id = ${contractorId} and l.connector = ${connector} and l.company = ${company}`

const COLUMNS = sql`l.entity, l.external_id as "externalId", l.part, l.resource, l.reference, l.owner`

/** The links of objects. */
export const linksOf = (orm: Orm, books: Books, objects: { entity: string; id: string }[]): Promise<Link[]> =>
  objects.length === 0
    ? Promise.resolve([])
    : rows<Link>(
        orm,
        sql`select ${COLUMNS} from jsonb_to_recordset(${JSON.stringify(objects)}::jsonb) as o(entity text, id text)
          cross join lateral (select * from connector_links l where ${inBooks(books)} and l.entity = o.entity and l.external_id = o.id) l`,
      )

/** Returns which of these references objects have already, of any connection. */
export async function linkedReferences(
  orm: Orm,
  contractorId: string,
  resource: string,
  references: string[],
): Promise<Set<string>> {
  const found = await rows<{ reference: string }>(
    orm,
    sql`select r.reference from jsonb_array_elements_text(${JSON.stringify(references)}::jsonb) as r(reference)
      cross join lateral (select 1 from connector_links l
        where l.contractor_id = ${contractorId} and l.resource = ${resource} and l.reference = r.reference limit 1) x`,
  )
  return new Set(found.map(({ reference }) => reference))
}

/** Stores links, and which walk saw them. */
export async function putLinks(orm: Orm, books: Books, generation: number, links: Link[]): Promise<void> {
  if (links.length === 0) return
  await orm.execute(
    sql`insert into connector_links (contractor_id, connector, company, entity, external_id, part, resource, reference, owner, generation)
      select ${books.contractorId}, ${books.connector}, ${books.company}, x.entity, x."externalId", x.part, x.resource, x.reference, x.owner, ${generation}
      from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
        as x(entity text, "externalId" text, part text, resource text, reference text, owner text)
      on conflict (contractor_id, connector, company, entity, external_id, part)
        do update set generation = excluded.generation, owner = excluded.owner
        where (connector_links.generation, connector_links.owner) is distinct from (excluded.generation, excluded.owner)`,
  )
}

/** Marks objects as seen by a walk although nothing of them was written. */
export async function markSeen(
  orm: Orm,
  books: Books,
  generation: number,
  objects: { entity: string; id: string }[],
): Promise<void> {
  if (objects.length === 0) return
  await orm.execute(
    sql`update connector_links l set generation = ${generation}
      from jsonb_to_recordset(${JSON.stringify(objects)}::jsonb) as o(entity text, id text)
      where ${inBooks(books)} and l.entity = o.entity and l.external_id = o.id and l.generation <> ${generation}`,
  )
}

export async function removeLinks(
  orm: Orm,
  books: Books,
  links: Pick<Link, 'entity' | 'externalId' | 'part'>[],
): Promise<void> {
  if (links.length === 0) return
  await orm.execute(
    sql`delete from connector_links l
      using jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as x(entity text, "externalId" text, part text)
      where ${inBooks(books)} and l.entity = x.entity and l.external_id = x."externalId" and l.part = x.part`,
  )
}

/** Objects of some kinds that a walk did not see, in the order of their ids, after one of them. */
export const unseen = (
  orm: Orm,
  books: Books,
  { generation, entity, after, most }: { generation: number; entity: string; after: string; most: number },
): Promise<{ id: string }[]> =>
  rows<{ id: string }>(
    orm,
    sql`select distinct l.external_id as id from connector_links l
      where ${inBooks(books)} and l.entity = ${entity} and l.external_id > ${after} and l.generation < ${generation}
      order by 1 limit ${most}`,
  )

/**
 * Counts the stored records that came from other books than these, by company.
 * @param tables of our own code, each after its resource
 */
export async function recordsOfOthers(
  orm: Orm,
  { contractorId, connector, company }: Books,
  tables: readonly (readonly [string, string])[],
): Promise<{ company: string; n: number }[]> {
  const stored = tables.map(
    ([resource, table]) => sql`select l.company from connector_links l
      cross join lateral (select 1 from ${sql.identifier(table)} t
        where t.contractor_id = ${contractorId} and t.source_reference = l.reference limit 1) x
      where l.contractor_id = ${contractorId} and l.connector = ${connector} and l.resource = ${resource} and l.company <> ${company}`,
  )
  return await rows(
    orm,
    sql`select s.company, count(*)::int as n from (${sql.join(stored, sql` union all `)}) s group by 1 order by 1`,
  )
}

/** Forgets which objects of other books records were. For those whose records are gone: their numbers are free again. */
export async function forgetOthers(orm: Orm, { contractorId, connector, company }: Books): Promise<void> {
  await orm.execute(
    sql`delete from connector_links where contractor_id = ${contractorId} and connector = ${connector} and company <> ${company}`,
  )
}

/** Returns some of the links of a company's books to records of a resource. */
export const someLinks = (orm: Orm, books: Books, resource: string, most: number): Promise<Link[]> =>
  rows<Link>(
    orm,
    sql`select ${COLUMNS} from connector_links l where ${inBooks(books)} and l.resource = ${resource}
      order by l.entity, l.external_id, l.part limit ${most}`,
  )

/** Counts the records a company's books have brought, by resource. */
export async function countLinks(orm: Orm, books: Books): Promise<{ resource: string; n: number }[]> {
  return await rows<{ resource: string; n: number }>(
    orm,
    sql`select l.resource, count(*)::int as n from connector_links l where ${inBooks(books)} group by 1 order by 1`,
  )
}

/** A payment that may have come by a file already, where it is known by a fingerprint. */
export type FingerprintedPayment = { key: string; customer: string; amount: string; date: string; type: string }

/**
 * Finds payments that came by files, which give them no id: of the same customer, amount, day and type, and of no object yet. Several may
 * fit; the caller takes each once.
 */
export const fingerprinted = (
  orm: Orm,
  contractorId: string,
  payments: FingerprintedPayment[],
): Promise<{ key: string; reference: string }[]> =>
  payments.length === 0
    ? Promise.resolve([])
    : rows<{ key: string; reference: string }>(
        orm,
        sql`select p.key, t.source_reference as reference
          from jsonb_to_recordset(${JSON.stringify(payments)}::jsonb) as p(key text, customer text, amount numeric, date timestamptz, type text)
          cross join lateral (select coalesce(joined_to, id) as id from users where contractor_id = ${contractorId} and source_reference = p.customer limit 1) u
          cross join lateral (
            select source_reference from analytics_revenue_transactions t
            where t.contractor_id = ${contractorId} and t.customer_id = u.id and t.amount = p.amount and t.type = p.type
              and t.date >= p.date and t.date < p.date + interval '1 day' and starts_with(t.source_reference, 'payment-')
              and not exists (select 1 from connector_links l
                where l.contractor_id = ${contractorId} and l.resource = 'payments' and l.reference = t.source_reference)
            order by source_reference limit 20) t
          order by 1, 2`,
      )

/** Ids of records by their references, in a table of our own code. */
export const idsByReference = (
  orm: Orm,
  table: string,
  contractorId: string,
  references: string[],
): Promise<{ id: string; reference: string }[]> =>
  references.length === 0
    ? Promise.resolve([])
    : rows<{ id: string; reference: string }>(
        orm,
        sql`select t.id, t.source_reference as reference from jsonb_array_elements_text(${JSON.stringify(references)}::jsonb) as r(reference)
          cross join lateral (select id, source_reference from ${sql.identifier(table)}
            where contractor_id = ${contractorId} and source_reference = r.reference limit 1) t`,
      )

/** Returns which of these references records of a table have. */
export const findUsedReferences = async (
  orm: Orm,
  table: string,
  contractorId: string,
  references: string[],
): Promise<Set<string>> =>
  new Set((await idsByReference(orm, table, contractorId, references)).map(({ reference }) => reference))

/** Gives a record another reference, with its link; a project that its invoice alone made follows it. Tables are of our own code. */
export async function renameReference(
  orm: Orm,
  contractorId: string,
  { table, resource, from, to }: { table: string; resource: string; from: string; to: string },
): Promise<void> {
  await orm.execute(
    sql`update ${sql.identifier(table)} set source_reference = ${to} where contractor_id = ${contractorId} and source_reference = ${from}`,
  )
  await orm.execute(
    sql`update connector_links set reference = ${to} where contractor_id = ${contractorId} and resource = ${resource} and reference = ${from}`,
  )
  if (resource === 'invoices')
    await orm.execute(
      sql`update projects set source_reference = ${`invoice ${to}`} where contractor_id = ${contractorId} and source_reference = ${`invoice ${from}`}
        and not exists (select 1 from projects p where p.contractor_id = ${contractorId} and p.source_reference = ${`invoice ${to}`})`,
    )
}
