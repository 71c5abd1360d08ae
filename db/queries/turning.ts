import type { Database } from '../client'
import type { ListSource } from './list'

/**
 * Brings to date the records of a contractor whose status the clock has overtaken. The table's triggers set the new status and
 * `updated_at`, so delta sync sees the turn at the first read behind it.
 */
export async function turnStale(
  db: Database,
  { table, turnsAt }: Pick<ListSource, 'table' | 'turnsAt'>,
  contractorId: string,
): Promise<void> {
  const text = `update ${table} set status = status where contractor_id = $1 and ${turnsAt} <= now()`
  await db.run({ name: `plumbline_turn_${table}`, text }, [contractorId])
}
