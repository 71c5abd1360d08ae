import type { Database } from '../client'
import type { ListSource } from './list'

/**
 * Updates a contractor's records whose time-dependent status is outdated. The table's triggers set the new status and `updated_at`,
 * so delta sync sees the change in the next read.
 */
export async function turnStale(
  db: Database,
  { table, turnsAt }: Pick<ListSource, 'table' | 'turnsAt'>,
  contractorId: string,
): Promise<void> {
  const text = `update ${table} set status = status where contractor_id = $1 and ${turnsAt} <= now()`
  await db.run({ name: `plumbline_turn_${table}`, text }, [contractorId])
}
