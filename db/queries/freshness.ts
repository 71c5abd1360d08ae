import { sql } from 'drizzle-orm'
import { type Database, type Orm, rows, withinContractor } from '../client'

const NOW = sql`date_trunc('milliseconds', clock_timestamp())`

/** Notes that a contractor's records of some resources were loaded now. */
export async function noteLoaded(db: Database, contractorId: string, resources: readonly string[]): Promise<void> {
  if (resources.length === 0) return
  await withinContractor(db.orm, contractorId, (orm) =>
    orm.execute(sql`insert into data_freshness (contractor_id, resource, at)
      select ${contractorId}, r, ${NOW} from unnest(${sql.param([...resources])}::text[]) r
      on conflict (contractor_id, resource) do update set at = greatest(data_freshness.at, excluded.at)`),
  )
}

/**
 * Notes the latest writes that the feed is about to forget, of all contractors. What only the clock did to a record (`turned`) is no
 * write.
 */
export async function noteForgotten(orm: Orm, before: Date): Promise<void> {
  await orm.execute(sql`insert into data_freshness (contractor_id, resource, at)
    select c.contractor_id, c.resource, max(c.numbered_at) from changes c join contractors o on o.id = c.contractor_id
      where c.numbered_at < ${before.toISOString()}::timestamptz and c.change <> 'turned' group by 1, 2
    on conflict (contractor_id, resource) do update set at = greatest(data_freshness.at, excluded.at)`)
}

/** Returns when each of some resources was last loaded or written, as ISO 8601; null when never. */
export async function dataAsOf(
  orm: Orm,
  contractorId: string,
  resources: readonly string[],
): Promise<Map<string, string | null>> {
  const found = await rows<{ resource: string; at: string | null }>(
    orm,
    sql`select r as resource, to_char(greatest(
        (select f.at from data_freshness f where f.contractor_id = ${contractorId} and f.resource = r),
        (select c.numbered_at from changes c where c.contractor_id = ${contractorId} and c.resource = r and c.change <> 'turned'
          order by c.position desc limit 1)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from unnest(${sql.param([...resources])}::text[]) r`,
  )
  return new Map(found.map(({ resource, at }) => [resource, at]))
}
