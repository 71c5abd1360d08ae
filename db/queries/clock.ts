import { sql } from 'drizzle-orm'
import type { Orm } from '../client'

/**
 * Remembers that the service runs at this moment of the database's clock. A clock that was set back leaves the later moment standing, one
 * that had been more than a day ahead does not.
 */
export async function noteTime(orm: Orm): Promise<void> {
  await orm.execute(sql`insert into clock (name, seen_at) values ('service', clock_timestamp()) on conflict (name) do update
    set seen_at = case when clock.seen_at < excluded.seen_at + interval '1 day'
      then greatest(clock.seen_at, excluded.seen_at) else excluded.seen_at end`)
}
