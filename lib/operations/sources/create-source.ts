import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { insertSource, listSources } from '@/db/queries/sources'
import { SOURCE_KINDS } from '@/db/schema'
import { personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { defineOperation } from '../define'
import { A_NEW_SOURCE, firstRun, newMailUrl, scheduleOf, shownById, WithUrl } from './managed'
import { parseSourceSettings, Schedule, SOURCE_FIELDS } from './settings'

const MOST_SOURCES = 20

export const Name = z.string().trim().min(1).max(100).describe('For people: what it brings')

/** Sets up a source that data is loaded from by a schedule. */
export const createSource = defineOperation({
  name: 'create_source',
  title: 'Set up a source',
  description:
    'Sets up a place that files are loaded from by themselves: a watched folder, an SFTP server, a link, or mails. It runs for the first time at once.',
  access: 'admin',
  effect: 'write',
  proof: 'recent',
  input: z.object({ kind: z.enum(SOURCE_KINDS), name: Name, ...Schedule, ...SOURCE_FIELDS }).strict(),
  output: WithUrl,
  example: A_NEW_SOURCE,
  run: async ({ actor, now }, { kind, name, every, hour, weekday, dates = null, complete = false, ...given }) => {
    const by = personOf(actor)
    const { contractorId } = by
    const settled = parseSourceSettings(kind, given)
    const made = kind === 'mail' ? newMailUrl() : undefined
    const id = newId('source')
    const schedule = scheduleOf(kind, { every, hour, weekday })
    const source = { id, contractorId, kind, name, ...settled, ...schedule, dates, complete, lastRunAt: null }
    return await withinContractor((await database()).orm, contractorId, async (orm) => {
      if ((await listSources(orm, contractorId)).length >= MOST_SOURCES)
        throw new ServiceError('bad_request', `There are ${MOST_SOURCES} sources already. Remove one first.`)
      await insertSource(orm, {
        ...source,
        tokenHash: made?.tokenHash ?? null,
        state: 'active',
        nextAt: await firstRun(orm, source, now),
        createdAt: now,
        createdBy: by.kind === 'person' ? by.personId : by.kind,
      })
      await audit(orm, by, {
        event: 'source_created',
        subject: id,
        detail: { name, kind },
        told: `“${name}” (${kind})`,
      })
      return { ...(await shownById(orm, contractorId, id, now)), url: made?.url ?? null }
    })
  },
})
