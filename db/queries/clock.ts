import { sql } from 'drizzle-orm'
import type { Orm } from '../client'

/**
 * Records the current time of the database's clock. After the clock is set back, the later recorded time stays, unless it was more
 * than a day ahead.
 */
export async function noteTime(orm: Orm): Promise<void> {
  await orm.execute(sql`insert into clock (name, seen_at) values ('service', clock_timestamp()) on conflict (name) do update
    set seen_at = case when clock.seen_at < excluded.seen_at + interval '1 day'
      then greatest(clock.seen_at, excluded.seen_at) else excluded.seen_at end`)
}
