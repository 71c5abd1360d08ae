import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/**
 * Counts the servers that use this database now besides one, by the names under which they are connected. A server asks every few seconds; a pooler's
 * connection keeps the name of one that has ended, and is idle.
 */
export async function countOtherServers(orm: Orm, own: string): Promise<number> {
  const [found] = await rows<{ n: number }>(
    orm,
    sql`select count(distinct application_name)::int as n from pg_stat_activity
      where datname = current_database() and application_name ~ '^plumbline (server|next) ' and application_name <> ${own}
        and state_change > clock_timestamp() - interval '15 seconds'`,
  )
  return found?.n ?? 0
}
