import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { execute } from '../execute'
import { getStatus } from './get-status'
import { noteStatus } from './note-status'
import { STATUS_DAYS } from './parts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const stored = () =>
  rows<{ part: string; checks: number; faults: number }>(
    db.orm,
    sql`select part, sum(checks)::int as checks, sum(faults)::int as faults from service_checks group by 1 order by 1`,
  )

test('a check is counted by hour and part; what the database did not take is written with the next', async () => {
  const at = new Date('2026-11-22T10:59:30Z')
  expect(await noteStatus(at)).toEqual({ status: 'healthy', written: 4 })
  await db.orm.execute(sql`alter table service_checks rename to service_checks_away`)
  await expect(noteStatus(at)).rejects.toThrow()
  await db.orm.execute(sql`alter table service_checks_away rename to service_checks`)
  // The hour after: four sums of it, and four that waited.
  expect(await noteStatus(new Date('2026-11-22T11:00:30Z'))).toEqual({ status: 'healthy', written: 8 })
  expect(await stored()).toEqual(
    ['database', 'disk', 'limits', 'service'].map((part) => ({ part, checks: 3, faults: 0 })),
  )
})

test('the status shows every one of 90 days by its UTC date, whoever asks', async () => {
  await db.orm.execute(sql`delete from service_checks`)
  await db.orm.execute(sql`insert into service_checks values ('2026-11-20T23:00:00Z', 'database', 60, 2),
    ('2026-11-21T00:00:00Z', 'database', 60, 0), ('2026-08-01T00:00:00Z', 'database', 60, 60)`)
  const asked = { now: new Date('2026-11-22T00:30:00Z') }
  const { text } = await execute(getStatus, asked, () => ({ values: {}, whole: 'input' }), 'text')
  const { status, parts } = getStatus.output.parse(JSON.parse(text))
  expect(status).toBe('healthy')
  expect(parts.map(({ days }) => days.length)).toEqual([STATUS_DAYS, STATUS_DAYS, STATUS_DAYS, STATUS_DAYS])
  const days = parts.find(({ part }) => part === 'database')?.days ?? []
  expect([days[0]?.day, days.at(-1)?.day]).toEqual(['2026-08-25', '2026-11-22'])
  expect(days.filter(({ checks }) => checks > 0)).toEqual([
    { day: '2026-11-20', checks: 60, faults: 2, hours: 1 },
    { day: '2026-11-21', checks: 60, faults: 0, hours: 1 },
  ])
})
