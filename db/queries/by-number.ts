import type { Database } from '../client'
import { type ListSource, statementOf } from './list'

/**
 * Ids of a contractor's records with one of some numbers, as their office writes them: one lookup in the unique index on the
 * contractor and that number.
 */
export async function idsByNumber(
  db: Database,
  { table, only }: ListSource,
  contractorId: string,
  numbers: string[],
): Promise<string[]> {
  const statement = statementOf(
    `number | ${table}`,
    () => `select id from ${table} where contractor_id = $1 and source_reference = any(array(
      select jsonb_array_elements_text($2::jsonb)))${only ? ` and ${only}` : ''} limit 10`,
  )
  const found = await db.run<{ id: string }>(statement, [contractorId, JSON.stringify(numbers)])
  return found.map(({ id }) => id)
}
