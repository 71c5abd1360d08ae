import type { Database, Statement } from '../drivers/driver'

const DEMONSTRATION: Statement = {
  name: 'plumbline_demonstration',
  text: `select name from contractors c where demo or exists (select 1 from api_keys k where k.contractor_id = c.id and k.mode = 'test'
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))
    union all select email from people where email = $1 order by 1 limit 10`,
}

/** Returns the demonstration data in a database: demonstration contractors, those with working test keys, and accounts. */
export async function findDemonstration(db: Database, email: string): Promise<string[]> {
  const found = await db.run<{ name: string }>(DEMONSTRATION, [email])
  return found.map(({ name }) => name)
}

/** The address is stored as the comment of a table: no backup or list includes it, but a copy of the database does. */
const MARK = /^production at ([0-9a-f]{64})$/

const COMMENT: Statement = {
  name: 'plumbline_production_mark',
  text: "select obj_description('public.contractors'::regclass, 'pg_class') as comment",
}

/** Returns the SHA-256 of the address at which a production deployment used this database; undefined when none has. */
export async function productionMark(db: Database): Promise<string | undefined> {
  const [found] = await db.run<{ comment: string | null }>(COMMENT, [])
  return MARK.exec(found?.comment ?? '')?.[1]
}

/** Stores the address at which a production deployment uses this database. @param address a SHA-256 in hexadecimal */
export async function markProduction(db: Database, address: string): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(address)) throw new Error('the address must be a SHA-256')
  // Loaded once in the life of a database; every function reads the mark.
  const { sql } = await import('drizzle-orm')
  await db.orm.execute(sql.raw(`comment on table public.contractors is 'production at ${address}'`))
}
