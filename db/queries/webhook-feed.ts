import type { Database } from '../client'
import { behind, type FeedResource, iso, recordText, stamp } from './changes'

/** A change as a webhook tells of it: `data` is the JSON text of its id, its moment and its record as it is now. */
export type FeedEvent = {
  position: number
  stamp: string
  resource: string
  change: 'created' | 'updated' | 'turned' | 'deleted'
  id: string
  at: string
  data: string
}

/** Returns the SQL of a span of the feed: $1 the contractor, $2 the resources (a JSON array), behind $3, up to $4, at most $5. */
export const eventsText = (resources: readonly FeedResource[]): string =>
  `with page as materialized (
      select l.* from jsonb_array_elements_text($2::jsonb) as w(resource)
      cross join lateral (select * from changes c where ${behind('$3::bigint')} limit $5::int) l
      where l.position <= $4::bigint order by l.position limit $5::int)
    select g.position::float8 as position, ${stamp('g.numbered_at')} as stamp, g.resource, g.change, g.record_id as id, ${iso('g.numbered_at')} as at,
      '{"id":' || to_json(g.record_id)::text || coalesce(',"updatedAt":"' || ${iso('g.version')} || '"', '')
        || coalesce(',"record":' || case when g.change <> 'deleted' then case g.resource ${resources.map(recordText).join('\n')} end end, '')
        || '}' as data
    from page g order by g.position`

/** Reads a span of a contractor's feed in order. */
export async function feedEvents(
  db: Database,
  text: string,
  {
    contractorId,
    resources,
    after,
    upTo,
    most,
  }: { contractorId: string; resources: string[]; after: number; upTo: number; most: number },
): Promise<FeedEvent[]> {
  const values = [contractorId, JSON.stringify(resources), after, upTo, most]
  return await db.run<FeedEvent>({ name: 'plumbline_feed_events', text }, values)
}

/** The last position that was given before a moment, found in steps of halves along the feed's own index; 0 when there is none. */
export async function positionBefore(
  db: Database,
  { contractorId, resources, at }: { contractorId: string; resources: readonly string[]; at: Date },
): Promise<number> {
  const text = `select x.position::float8 as position, x.numbered_at < $3::timestamptz as earlier
    from jsonb_array_elements_text($4::jsonb) as w(resource)
    cross join lateral (select c.position, c.numbered_at from changes c where ${behind('$2::bigint')} limit 1) x
    order by x.position limit 1`
  const next = async (position: number) => {
    const [row] = await db.run<{ position: number; earlier: boolean }>({ name: 'plumbline_feed_next', text }, [
      contractorId,
      position,
      at.toISOString(),
      JSON.stringify(resources),
    ])
    return row
  }
  const [head] = await db.run<{ position: number }>(
    {
      name: 'plumbline_feed_head',
      text: 'select position::float8 as position from change_heads where contractor_id = $1',
    },
    [contractorId],
  )
  // Everything up to `low` is earlier than the moment; nothing behind `high` is.
  let [low, high] = [0, head?.position ?? 0]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await next(middle)
    if (found?.earlier) low = Math.max(found.position, middle + 1)
    else high = middle
  }
  return low
}
