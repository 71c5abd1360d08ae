import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { type Database, database, type Orm, withinContractor } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { changeSource, findSource, listRuns, type Source } from '@/db/queries/sources'
import { personOf } from '@/lib/auth/actor'
import { type AuditEvent, audit } from '@/lib/auth/audit'
import { hashKey } from '@/lib/auth/keys'
import { baseUrls, env } from '@/lib/core/env'
import { MAIL_PATH } from '@/lib/core/uploads'
import { minuteOf, nextRun } from '@/lib/sync/schedule/next-run'
import type { Context } from '../define'
import { A_SOURCE, noSource, ShownSource, shownSource } from './fields'

/** A source with the URL that its mails are posted to, which is shown once. */
export const WithUrl = ShownSource.extend({
  url: z.string().nullable().describe('Where mails are posted: a secret, shown this once; null for other kinds'),
})
export const A_NEW_SOURCE: z.output<typeof WithUrl> = { ...A_SOURCE, url: null }

/** A new secret URL for mails: its text, to be shown once, and how it is stored. */
export function newMailUrl(): { url: string; tokenHash: string } {
  const token = randomBytes(24).toString('base64url')
  return { url: `${baseUrls(env()).api}${MAIL_PATH}${token}`, tokenHash: hashKey(token) }
}

/** Returns when a source runs first by its schedule: at once where it has never run. */
export async function firstRun(
  orm: Orm,
  source: Pick<Source, 'id' | 'contractorId' | 'every' | 'hour' | 'weekday' | 'lastRunAt'>,
  now: Date,
): Promise<Date | null> {
  const { every, hour, weekday } = source
  if (every === null) return null
  if (source.lastRunAt === null) return now
  const contractor = await findContractor(orm, source.contractorId)
  return nextRun({ every, hour, weekday }, contractor?.timezone ?? 'UTC', minuteOf(source.id), now)
}

/** A schedule as it is stored: of mails none, of hours no hour. */
export function scheduleOf(
  kind: Source['kind'],
  {
    every = 'day',
    hour,
    weekday,
  }: { every?: Source['every'] | undefined; hour?: number | null | undefined; weekday?: number | null | undefined },
): Pick<Source, 'every' | 'hour' | 'weekday'> {
  if (kind === 'mail' || every === null) return { every: null, hour: null, weekday: null }
  return {
    every,
    hour: every === 'hour' ? null : (hour ?? 2),
    weekday: every === 'week' ? (weekday ?? 0) : null,
  }
}

/** Returns a source as it is shown. @throws ServiceError `not_found` */
export async function shownById(orm: Orm, contractorId: string, id: string, now: Date) {
  const source = await findSource(orm, contractorId, id)
  if (!source) throw noSource()
  const [last] = await listRuns(orm, { contractorId, sourceId: id, limit: 1 })
  return shownSource(source, last, now)
}

/** Returns a source that is there. @throws ServiceError `not_found` */
export async function requireSource({ orm }: Database, contractorId: string, id: string): Promise<Source> {
  const source = await findSource(orm, contractorId, id)
  if (source) return source
  throw noSource()
}

/** Changes a source, with an entry in the audit log, and returns it as it is then. @throws ServiceError `not_found` */
export async function changeManaged(
  { actor, now }: Context,
  id: string,
  event: AuditEvent,
  work: (orm: Orm, source: Source) => Promise<Partial<Source>>,
) {
  const by = personOf(actor)
  const { contractorId } = by
  return await withinContractor((await database()).orm, contractorId, async (orm) => {
    const source = await findSource(orm, contractorId, id, true)
    if (!source) throw noSource()
    await changeSource(orm, contractorId, id, await work(orm, source))
    await audit(orm, by, {
      event,
      subject: id,
      detail: { name: source.name },
      // Pausing and resuming set nothing.
      told: event === 'source_changed' ? `“${source.name}”` : undefined,
    })
    return await shownById(orm, contractorId, id, now)
  })
}
