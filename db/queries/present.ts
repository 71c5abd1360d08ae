import type { Database, Statement } from '../client'
import type { FeedResource } from './changes'

/** Returns the SQL that finds, of records named by resource and id ($2, a JSON array), those that a contractor ($1) has. */
export const presentText = (resources: readonly FeedResource[]): string =>
  `select w.id from jsonb_to_recordset($2::jsonb) as w(resource text, id text) where case w.resource
    ${resources
      .map(
        ({ name, source: { table, only } }) =>
          `when '${name}' then exists (select from ${table} l where l.id = w.id and l.contractor_id || '' = $1${only ? ` and ${only}` : ''})`,
      )
      .join('\n')} else false end`

/** Returns the ids of those records that a contractor has. */
export async function presentRecords(
  db: Database,
  statement: Statement,
  contractorId: string,
  named: { resource: string; id: string }[],
): Promise<string[]> {
  const found = await db.run<{ id: string }>(statement, [contractorId, JSON.stringify(named)])
  return found.map(({ id }) => id)
}
