import { asc, eq, or } from 'drizzle-orm'
import type { Database, Orm } from '../client'
import { contractors } from '../schema'

export type Contractor = typeof contractors.$inferSelect
export type NewContractor = typeof contractors.$inferInsert

export async function listContractors(orm: Orm): Promise<Contractor[]> {
  return await orm.select().from(contractors).orderBy(asc(contractors.slug))
}

/** Returns a contractor by id or slug. */
export async function findContractor(orm: Orm, idOrSlug: string): Promise<Contractor | undefined> {
  const [contractor] = await orm
    .select()
    .from(contractors)
    .where(or(eq(contractors.id, idOrSlug), eq(contractors.slug, idOrSlug)))
  return contractor
}

/** Adds a contractor; undefined when its slug is taken. */
export async function insertContractor(orm: Orm, contractor: NewContractor): Promise<Contractor | undefined> {
  const [made] = await orm.insert(contractors).values(contractor).onConflictDoNothing().returning()
  return made
}

/** Returns a contractor's time zone; UTC when there is no such contractor. */
export async function contractorZone(db: Database, contractorId: string): Promise<string> {
  const statement = { name: 'plumbline_zone', text: 'select timezone as zone from contractors where id = $1' }
  const [row] = await db.run<{ zone: string }>(statement, [contractorId])
  return row?.zone ?? 'UTC'
}
