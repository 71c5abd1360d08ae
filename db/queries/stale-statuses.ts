import type { Database } from '../client'
import type { ListSource } from './list-types'

/**
 * Returns SQL that is true when the contractor (`$1`) has rows with an outdated status, because their next change is already due.
 */
export function staleFlag({ table, turnsAt }: Pick<ListSource, 'table' | 'turnsAt'>): string {
  return turnsAt
    ? `(select coalesce((select ${turnsAt} <= now() from ${table}
        where contractor_id = $1 and ${turnsAt} is not null order by ${turnsAt} limit 1), false))`
    : 'false'
}

/**
 * Updates a contractor's records whose time-dependent status is outdated. The table's triggers set the new status and `updated_at`,
 * so delta sync sees the change in the next read.
 */
export async function updateStaleStatuses(
  db: Database,
  { table, turnsAt }: Pick<ListSource, 'table' | 'turnsAt'>,
  contractorId: string,
): Promise<void> {
  const text = `update ${table} set status = status where contractor_id = $1 and ${turnsAt} <= now()`
  await db.run({ name: `plumbline_turn_${table}`, text }, [contractorId])
}

/** Updates outdated statuses if there are any; call it before reading such records other than through their list. */
export async function updateAnyStaleStatuses(db: Database, source: ListSource, contractorId: string): Promise<void> {
  if (source.turnsAt === undefined) return
  const statement = { name: `plumbline_stale_${source.table}`, text: `select ${staleFlag(source)} as stale` }
  const [row] = await db.run<{ stale: boolean }>(statement, [contractorId])
  if (row?.stale) await updateStaleStatuses(db, source, contractorId)
}
