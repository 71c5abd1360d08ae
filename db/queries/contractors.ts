import { asc, eq, or, sql } from 'drizzle-orm'
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

/** The settings of a contractor that its administrators may change. */
export type ContractorSettings = Pick<Contractor, 'name' | 'timezone' | 'currency' | 'country' | 'locale'>

/** Changes settings of a contractor, and what follows from its time zone: statuses and open amounts by the days there. */
export async function changeContractor(orm: Orm, id: string, changes: Partial<ContractorSettings>): Promise<void> {
  await orm
    .update(contractors)
    .set({ ...changes, updatedAt: new Date() })
    .where(eq(contractors.id, id))
  if (changes.timezone === undefined) return
  // Triggers look the zone up once in a transaction.
  await orm.execute(sql`select set_config('clock.zone', '', true)`)
  await orm.execute(sql`update analytics_invoice_records set status = status where contractor_id = ${id} and (status in ('overdue', 'current', 'future')
      or turns_at is not null or id in (select invoice_id from analytics_revenue_transactions where contractor_id = ${id} and type = 'payment_received'
        and date > now() - interval '2 days' and date < now() + interval '2 days'))`)
  await orm.execute(
    sql`update estimates set status = status where contractor_id = ${id} and (status in ('sent', 'expired') or turns_at is not null)`,
  )
}

/** Returns a contractor's time zone; UTC when there is no such contractor. */
export async function contractorZone(db: Database, contractorId: string): Promise<string> {
  const statement = { name: 'plumbline_zone', text: 'select timezone as zone from contractors where id = $1' }
  const [row] = await db.run<{ zone: string }>(statement, [contractorId])
  return row?.zone ?? 'UTC'
}
