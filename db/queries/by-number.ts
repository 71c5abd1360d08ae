import type { Database } from '../client'
import { statementOf } from './list'
import type { ListSource } from './list-types'

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
    `number | ${table} | ${only}`,
    () => `select id from ${table} where contractor_id = $1 and source_reference = any(array(
      select jsonb_array_elements_text($2::jsonb)))${only ? ` and ${only}` : ''} limit 10`,
  )
  const found = await db.run<{ id: string }>(statement, [contractorId, JSON.stringify(numbers)])
  return found.map(({ id }) => id)
}

/** A range of the index of numbers as people know them, and of the one of numbers as their office writes them, whose end no number goes beyond in any collation. */
const BEGINNINGS = {
  number: `number collate "C" >= $2 and number collate "C" < $2 || chr(1114109)`,
  source_reference: `source_reference >= $2 and source_reference < $2 || 'zzzzzzzz' and starts_with(source_reference, $2)`,
}

/** Ids of a contractor's records whose number begins with a text as it is typed or in capitals. */
export async function idsByBeginning(
  db: Database,
  { table, only, columns }: ListSource,
  contractorId: string,
  beginning: string,
  limit: number,
): Promise<string[]> {
  const by = columns.some(({ field }) => field === 'number') ? 'number' : 'source_reference'
  const order = by === 'number' ? 'number collate "C"' : by
  const statement = statementOf(
    `beginnings | ${table} | ${only}`,
    () => `select id from ${table} where contractor_id = $1 and ${BEGINNINGS[by]}${only ? ` and ${only}` : ''}
      order by ${order} limit $3::int`,
  )
  const spellings = [...new Set([beginning, beginning.toUpperCase()])]
  const found = await Promise.all(
    spellings.map((each) => db.run<{ id: string }>(statement, [contractorId, each, limit])),
  )
  return found
    .flat()
    .map(({ id }) => id)
    .slice(0, limit)
}
