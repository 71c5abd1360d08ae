import { type SQL, sql } from 'drizzle-orm'
import { openDatabase } from '@/db/client'
import { env } from '@/lib/core/env'
import { type Agent, type Books, openBooks, prepareSettings } from './books'

/** Queries of each kind, chosen by a hash of the record's id, so that every run asks the same. */
const OF_EACH = 30
const TOP = 10

/** A query as people type it, and the ids that answer it. */
type Asked = { query: string; wanted: string[] }

const picked = (from: SQL) => sql`select query, wanted from (${from}) q order by md5(query) limit ${OF_EACH}`
const customers = (contractor: string) => sql`users t where t.contractor_id = ${contractor} and t.owns_project`
const sameName = sql`(select array_agg(u.id) from users u where u.contractor_id = t.contractor_id and u.name = t.name)`
const lastName = sql`split_part(t.name, ' ', 2)`

/** The queries that people type, by kind, with the truth from the tables. */
const KINDS: Record<string, (contractor: string) => SQL> = {
  'a name': (c) => sql`select distinct t.name as query, ${sameName} as wanted from ${customers(c)}`,
  'a name, a letter missing': (c) =>
    sql`select distinct split_part(t.name, ' ', 1) || ' ' || left(${lastName}, 2) || substr(${lastName}, 4) as query, ${sameName} as wanted
      from ${customers(c)} and length(${lastName}) > 4`,
  'a last name and “project”': (c) =>
    sql`select distinct lower(${lastName}) || ' project' as query, (select array_agg(p.id) from projects p join users u on u.id = p.customer_id
        where p.contractor_id = t.contractor_id and (u.name ilike '%' || ${lastName} || '%' or p.name ilike '%' || ${lastName} || '%')) as wanted
      from ${customers(c)} and t.name ~ '^[[:alpha:]]+ [[:alpha:]]{4,}$'`,
  'a street': (c) =>
    sql`select distinct t.address as query, array(select id from users u where u.contractor_id = t.contractor_id and u.address = t.address
        union all select id from projects p where p.contractor_id = t.contractor_id and p.address = t.address) as wanted
      from ${customers(c)} and t.address <> ''`,
  'an invoice number': (c) =>
    sql`select t.number as query, array[t.id] as wanted from analytics_invoice_records t where t.contractor_id = ${c}`,
  'a payment reference': (c) =>
    sql`select t.reference as query, array_agg(t.id) as wanted from analytics_revenue_transactions t
      where t.contractor_id = ${c} and t.type = 'payment_received' and t.reference <> '' group by 1`,
}

/** The place of the first hit that answers, from 1; undefined when none of ten does. */
async function placeOf(agent: Agent, { query, wanted }: Asked): Promise<number | undefined> {
  const { data } = await agent.call('rag_search', { query, topK: TOP })
  const hits: { id: string }[] = Object(data).hits ?? []
  const at = hits.findIndex(({ id }) => wanted.includes(id))
  return at === -1 ? undefined : at + 1
}

/** Asks `rag_search` of the demonstration for records as people type them; prints recall@1, the mean reciprocal rank and what was not first. */
export async function evaluateNames(dataDir: string): Promise<void> {
  prepareSettings(dataDir)
  const db = await openDatabase(env())
  const books: Books = await openBooks(db)
  const agent = await books.connect()
  console.log(`${''.padEnd(28)} queries  recall@1     MRR`)
  for (const [kind, asked] of Object.entries(KINDS)) {
    const queries = await books.read<Asked>(picked(asked(books.contractorId)))
    const places: (number | undefined)[] = []
    for (const each of queries) places.push(await placeOf(agent, each))
    const first = places.filter((place) => place === 1).length / queries.length
    const reciprocal = places.reduce<number>((sum, place) => sum + (place ? 1 / place : 0), 0) / queries.length
    console.log(
      `${kind.padEnd(28)} ${`${queries.length}`.padStart(7)} ${first.toFixed(3).padStart(9)} ${reciprocal.toFixed(3).padStart(7)}`,
    )
    for (const [at, place] of places.entries())
      if (place !== 1) console.log(`  ${queries[at]?.query}: ${place ?? 'not found'}`)
  }
  await agent.close()
  await db.close()
}
