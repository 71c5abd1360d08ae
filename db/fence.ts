import { sql } from 'drizzle-orm'
import { type Orm, rows } from './drivers/driver'

/**
 * Reports whether the fence is complete. It asks what `raise_fence` asks, without the language that one is written in, which the embedded
 * database would have to load before the first request. Taking on the role ends with the statement; where it may not be, the statement
 * fails.
 */
const isFenceWhole = (orm: Orm): Promise<boolean> =>
  rows<{ whole: boolean }>(
    orm,
    sql`select has_schema_privilege('plumbline_tenant', current_schema(), 'usage')
        and has_table_privilege('plumbline_tenant', 'people', 'select')
        and not exists (select from unfenced_tables()) as whole,
      set_config('role', 'plumbline_tenant', true)`,
  ).then(
    ([row]) => row?.whole === true,
    () => false,
  )

/**
 * Creates whatever is missing of the second fence. Runs when a database is opened.
 * @returns why it cannot be created, for the database's administrator; undefined when the fence is complete
 */
export async function raiseFence(orm: Orm): Promise<string | undefined> {
  if (await isFenceWhole(orm)) return undefined
  const [row] = await rows<{ why: string | null }>(orm, sql`select raise_fence() as why`)
  return row?.why ?? undefined
}

/** The message for an operator whose database user may not create the fence. */
export const fenceDown = (why: string): string =>
  `The second fence between contractors is down: ${why}. Everything works and each statement still asks for one contractor's rows; ` +
  'to have the fence, run as an administrator of the database: CREATE ROLE plumbline_tenant NOLOGIN (if it is not there); ' +
  'GRANT plumbline_tenant TO the user that DATABASE_URL names; then start again.'

/** The options of a transaction: it only reads, or notes what it writes for a part of a load, so that it can be taken back. */
export type Within = { readOnly?: boolean | undefined; step?: string | undefined }

/**
 * Runs a transaction behind the second fence: it reads and writes only this contractor's rows, no matter what its statements ask
 * for. Each statement still filters by contractor; the fence protects against one that forgets. Reads on the hot path run without
 * it.
 */
export function withinContractor<T>(
  orm: Orm,
  contractorId: string,
  work: (orm: Orm) => Promise<T>,
  { readOnly = false, step }: Within = {},
): Promise<T> {
  return orm.transaction(
    async (tx) => {
      const noted = step === undefined ? sql`` : sql`set_config('app.load', ${step}, true), `
      await tx.execute(sql`select ${noted}enter_fence(${contractorId})`)
      return work(tx)
    },
    readOnly ? { accessMode: 'read only' } : undefined,
  )
}
