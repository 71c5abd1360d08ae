import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** The checks of one part of the service in an hour (`hour` is its start), and how many of them failed. */
export type CheckedHour = { hour: Date; part: string; checks: number; faults: number }

/** Adds checks to the hourly counts. */
export async function addChecks(orm: Orm, checked: CheckedHour[]): Promise<void> {
  const given = JSON.stringify(checked)
  await orm.execute(sql`insert into service_checks (hour, part, checks, faults)
    select c.hour, c.part, c.checks, c.faults
    from jsonb_to_recordset(${given}::jsonb) as c(hour timestamptz, part text, checks int, faults int)
    on conflict (hour, part) do update set checks = service_checks.checks + excluded.checks,
      faults = service_checks.faults + excluded.faults`)
}

/** The checks of a part on a UTC day, with the number of hours that had at least one. */
export type CheckedDay = { day: string; part: string; checks: number; faults: number; hours: number }

/** Returns the checks since a time by day, oldest first. */
export const checkedDays = (orm: Orm, since: Date): Promise<CheckedDay[]> =>
  rows<CheckedDay>(
    orm,
    sql`select to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day, part, sum(checks)::int as checks,
        sum(faults)::int as faults, count(*)::int as hours
      from service_checks where hour >= ${since.toISOString()}::timestamptz group by 1, 2 order by 1, 2`,
  )
