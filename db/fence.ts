import { sql } from 'drizzle-orm'
import { type Orm, rows } from './drivers/driver'

/**
 * Raises the second fence as far as it is missing; run when a database is opened.
 * @returns what is in the way, for whoever administers the database; undefined when it stands
 */
export async function raiseFence(orm: Orm): Promise<string | undefined> {
  const [row] = await rows<{ why: string | null }>(orm, sql`select raise_fence() as why`)
  return row?.why ?? undefined
}

/** What to tell an operator whose database user may not raise the fence. */
export const fenceDown = (why: string): string =>
  `The second fence between contractors is down: ${why}. Everything works and each statement still asks for one contractor's rows; ` +
  'to have the fence, run as an administrator of the database: CREATE ROLE plumbline_tenant NOLOGIN (if it is not there); ' +
  'GRANT plumbline_tenant TO the user that DATABASE_URL names; then start again.'

/**
 * One transaction behind the second fence: what it reads and writes is this contractor's, whatever its statements ask for. Each
 * statement still names the contractor itself; the fence is for the one that forgets. Reads on the hot path go without it.
 */
export function withinContractor<T>(orm: Orm, contractorId: string, work: (orm: Orm) => Promise<T>): Promise<T> {
  return orm.transaction(async (tx) => {
    await tx.execute(sql`select enter_fence(${contractorId})`)
    return work(tx)
  })
}
