import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../../client'

/** A stored column (not a generated one), with its type as Postgres writes it. */
export type BackupColumn = { name: string; type: string }

/** A table of the service: its stored columns, the order of its rows, and its identity column if it has one. */
export type BackupTable = { name: string; columns: BackupColumn[]; key: string[]; identity: string | null }

/** The migration level of the schema: two databases at the same level have the same tables. */
export type MigrationLevel = { migrations: number; last: string }

// Arrays are read as JSON, because the drivers parse Postgres' own arrays of names differently.
const TABLES = sql`select c.relname as name,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    (select json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum))
      from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
      where i.indrelid = c.oid and i.indisprimary) as key,
    (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped limit 1) as identity,
    (select json_agg(distinct t.relname) from pg_constraint f join pg_class t on t.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`

type Row = Omit<BackupTable, 'key'> & { key: string[] | null; parents: string[] | null }

/**
 * The service's tables from the database's catalog, so that a new table is never forgotten; each comes after those its foreign keys
 * point to. A table in partitions is one table: where its rows lie is the business of the database they are in.
 * @throws Error when foreign keys form a cycle, which no order of tables can satisfy
 */
export async function listTables(orm: Orm): Promise<BackupTable[]> {
  const waiting = await rows<Row>(orm, TABLES)
  const ordered: Row[] = []
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ parents }) =>
      (parents ?? []).every((parent) => ordered.some(({ name }) => name === parent)),
    )
    if (next < 0) throw new Error(`foreign keys form a cycle among ${waiting.map(({ name }) => name).join(', ')}`)
    ordered.push(...waiting.splice(next, 1))
  }
  return ordered.map(({ name, columns, key, identity }) => {
    // Without a primary key all columns together order the rows; fully equal rows may swap places unnoticed.
    return { name, columns, key: key ?? columns.map((column) => column.name), identity }
  })
}

/** Returns the migration level of the database's schema. */
export async function migrationLevel(orm: Orm): Promise<MigrationLevel> {
  const [level] = await rows<MigrationLevel>(
    orm,
    sql`select count(*)::int as migrations, coalesce(max(created_at), 0)::text as last from drizzle.__drizzle_migrations`,
  )
  return level ?? { migrations: 0, last: '0' }
}

/** A catalog name as SQL, quoted by the database's rules. */
export const name = (text: string) => sql.raw(`"${text.replaceAll('"', '""')}"`)

/** Names as a list in SQL. */
export const names = (all: string[]) => sql.join(all.map(name), sql`, `)
