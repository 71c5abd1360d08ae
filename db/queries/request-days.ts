import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** The days for which the request log has partitions ahead, so that it keeps them while nothing runs by the clock for a week. */
const DAYS_AHEAD = 8

/** Adds the partitions of the request log of a day and those that follow it, as far as they are missing. Returns how many it added. */
export async function addRequestDays(orm: Orm, from: Date): Promise<number> {
  const [added] = await rows<{ n: number }>(
    orm,
    sql`select add_request_days(${from.toISOString().slice(0, 10)}::date, ${DAYS_AHEAD}::int) as n`,
  )
  return added?.n ?? 0
}

/** Counts the partitions of the request log whose requests are all before a request's id. */
export async function countExpiredDays(orm: Orm, firstRequest: string): Promise<number> {
  const [found] = await rows<{ n: number }>(
    orm,
    sql`select count(*)::int as n from expired_request_days(${firstRequest}::uuid)`,
  )
  return found?.n ?? 0
}

/** Drops those partitions. Returns how many. @throws when a statement that reads the log keeps it waiting */
export async function dropExpiredDays(orm: Orm, firstRequest: string): Promise<number> {
  const [dropped] = await rows<{ n: number }>(orm, sql`select drop_request_days(${firstRequest}::uuid) as n`)
  return dropped?.n ?? 0
}
