import { sql } from 'drizzle-orm'
import { type Database, rows } from '@/db/client'

const TABLE = 'analytics_invoice_records'

/** The conditions of a list and of a record, and the same with an equality of the contractor, by which Postgres leaves partitions out. */
const AS_EQUALITY: [condition: RegExp, equality: string][] = [
  [/where \(contractor_id collate "C",/g, 'where contractor_id = $1 and (contractor_id collate "C",'],
  [/contractor_id \|\| ''/g, 'contractor_id'],
]

/** Returns a database whose statements name the contractor by an equality. */
export function withEquality(db: Database): Database {
  const equal = (text: string) => AS_EQUALITY.reduce((told, [from, to]) => told.replace(from, to), text)
  return {
    ...db,
    run: (statement, values) =>
      db.run({ ...statement, name: `${statement.name}_equal`.slice(-63), text: equal(statement.text) }, values),
  }
}

/** Returns what the catalog has of the table: its columns but the generated ones, and the texts that make its indexes and triggers. */
async function shapeOf(db: Database) {
  const [columns] = await rows<{ names: string }>(
    db.orm,
    sql`select string_agg(quote_ident(attname), ', ') as names from pg_attribute
      where attrelid = ${TABLE}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const indexes = await rows<{ made: string }>(
    db.orm,
    sql`select indexdef as made from pg_indexes where tablename = ${TABLE} and indexname not like '%pkey'`,
  )
  const triggers = await rows<{ made: string }>(
    db.orm,
    sql`select pg_get_triggerdef(oid) as made from pg_trigger where tgrelid = ${TABLE}::regclass and not tgisinternal`,
  )
  return { names: columns?.names ?? '', made: [...indexes, ...triggers].map(({ made }) => made) }
}

/**
 * Divides the invoices by their contractor into so many tables (hash partitions). The primary key then begins with the contractor, and what
 * referred to an invoice by its id alone no longer does.
 */
export async function divide(db: Database, parts: number): Promise<void> {
  const { names, made } = await shapeOf(db)
  const table = sql.identifier(TABLE)
  const does = (statement: string) => db.orm.execute(sql.raw(statement))
  await does(`alter table ${TABLE} rename to whole`)
  await does(
    `create table ${TABLE} (like whole including defaults including generated including constraints) partition by hash (contractor_id)`,
  )
  for (let n = 0; n < parts; n++)
    await does(`create table ${TABLE}_${n} partition of ${TABLE} for values with (modulus ${parts}, remainder ${n})`)
  await does(`insert into ${TABLE} (${names}) select ${names} from whole`)
  await does('drop table whole cascade')
  await db.orm.execute(sql`alter table ${table} add primary key (contractor_id, id)`)
  await does(`create index on ${TABLE} (id)`)
  for (const statement of made) await does(statement)
  await does('analyze')
}
