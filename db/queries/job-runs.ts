import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** The last run of a kind of background work. */
export type JobRun = {
  job: string
  ranAt: Date
  tookMs: number
  succeeded: boolean
  unfinished: string[]
}

/** Notes the last run of a kind of work; of several processes the latest one counts. */
export async function noteJobRun(orm: Orm, { job, ranAt, tookMs, succeeded, unfinished }: JobRun): Promise<void> {
  const at = sql`${ranAt.toISOString()}::timestamptz`
  await orm.execute(sql`insert into job_runs as j (job, ran_at, took_ms, succeeded, succeeded_at, unfinished)
    values (${job}, ${at}, ${Math.round(tookMs)}::int, ${succeeded}, case when ${succeeded} then ${at} end, ${sql.param(unfinished)}::text[])
    on conflict (job) do update set ran_at = excluded.ran_at, took_ms = excluded.took_ms, succeeded = excluded.succeeded,
      succeeded_at = coalesce(excluded.succeeded_at, j.succeeded_at), unfinished = excluded.unfinished
    where j.ran_at <= excluded.ran_at`)
}

/** A kind of work as it stands; the times are ISO timestamps. */
export type JobState = {
  job: string
  ranAt: string
  succeeded: boolean
  succeededAt: string | null
  unfinished: string[]
}

const iso = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/** Returns the last run of every kind of work that has run. */
export const listJobRuns = (orm: Orm): Promise<JobState[]> =>
  rows<JobState>(
    orm,
    sql`select job, ${iso('ran_at')} as "ranAt", succeeded, ${iso('succeeded_at')} as "succeededAt",
      array_to_json(unfinished) as unfinished from job_runs`,
  )

/** The most rows that are counted of what waits for a kind of work. */
export const MOST_COUNTED = 10_000

const counted = (rest: string) => `(select count(*)::int from (select ${rest} limit ${MOST_COUNTED}) w)`

/** What waits for each kind of work that has a queue; each is counted along an index, up to {@link MOST_COUNTED}. */
const WAITING = `select ${counted('from search_queue')} as search,
  ${counted(`from webhook_endpoints e cross join lateral (
    select from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'pending' limit ${MOST_COUNTED}) p where e.state = 'active'`)} as webhooks,
  ${counted('from change_queue')} as changes,
  ${counted('from outgoing_messages where sent_at is null and failed_at is null')} as alerts,
  ${counted("from scheduled_sources where state = 'active' and next_at <= now()")} as sources,
  ${counted("from connectors where state = 'connected' and next_at <= now()")} as connectors`

/** Counts what waits for each kind of work that has a queue, of all contractors. */
export async function countWaitingWork(orm: Orm): Promise<Record<string, number>> {
  const [found] = await rows<Record<string, number>>(orm, sql.raw(WAITING))
  return found ?? {}
}
