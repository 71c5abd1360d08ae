import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { listDrafts } from '@/db/queries/load-drafts'
import { deleteSource, type Source } from '@/db/queries/sources'
import { personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { forgetDraft } from '@/lib/load/draft-bytes'
import { defineOperation } from '../define'
import { Name } from './create-source'
import { A_SOURCE, noSource, ShownSource, SourceId } from './fields'
import { A_NEW_SOURCE, changeManaged, firstRun, newMailUrl, requireSource, scheduleOf, WithUrl } from './managed'
import { dropEarliestMail } from './runs/fetch-mail'
import { parseSourceSettings, Schedule, SOURCE_FIELDS } from './settings'

/** Settings of another place: what was seen there says nothing about this one. */
const isElsewhere = (before: Source, { settings }: Pick<Source, 'settings'>) =>
  ['url', 'host', 'path'].some((name) => before.settings[name] !== settings[name])

/** Changes a source. */
export const changeSource = defineOperation({
  name: 'change_source',
  title: 'Change a source',
  description:
    'Changes what is given of a source and keeps the rest, secrets too. `newUrl` makes another URL for mails, and the one before stops at once. `newHostKey` accepts another key of an SFTP server.',
  access: 'admin',
  effect: 'write',
  proof: 'recent',
  input: z
    .object({
      id: SourceId,
      name: Name.optional(),
      ...Schedule,
      ...SOURCE_FIELDS,
      newUrl: z.boolean().optional(),
      newHostKey: z
        .boolean()
        .optional()
        .describe('The key that the server shows next is pinned in place of the old one'),
    })
    .strict(),
  output: WithUrl,
  example: A_NEW_SOURCE,
  run: async (ctx, { id, name, every, hour, weekday, dates, complete, newUrl, newHostKey, ...given }) => {
    const before = await requireSource(await database(), ctx.actor.contractorId, id)
    if (newUrl && before.kind !== 'mail')
      throw new ServiceError('bad_request', 'Only a source of mails has a URL.', {
        fields: [{ field: 'newUrl', message: 'is for mails only' }],
      })
    const made = newUrl ? newMailUrl() : undefined
    const shown = await changeManaged(ctx, id, 'source_changed', async (orm, source) => {
      const { settings, secret } = parseSourceSettings(source.kind, given, source)
      const { hostKey: _, ...unpinned } = settings
      const settled = { settings: newHostKey ? unpinned : settings, secret }
      const schedule = scheduleOf(source.kind, {
        every: every ?? source.every ?? undefined,
        hour: hour ?? source.hour,
        weekday: weekday ?? source.weekday,
      })
      const nextAt = source.failures > 0 ? ctx.now : await firstRun(orm, { ...source, ...schedule }, ctx.now)
      return {
        ...settled,
        ...schedule,
        ...(source.kind !== 'mail' && { nextAt }),
        ...(name !== undefined && { name }),
        ...(dates !== undefined && { dates }),
        ...(complete !== undefined && { complete }),
        ...(made && { tokenHash: made.tokenHash }),
        ...(isElsewhere(source, settled) && { seen: {} }),
      }
    })
    return { ...shown, url: made?.url ?? null }
  },
})

/** Pauses a source, or lets it go on. */
export const pauseSource = defineOperation({
  name: 'pause_source',
  title: 'Pause or resume a source',
  description:
    'A paused source does not run; mails that come meanwhile wait for a week. Resumed, it runs at once; one that the service paused because a mail stopped it goes on without that mail.',
  access: 'admin',
  effect: 'write',
  input: z.object({ id: SourceId, paused: z.boolean() }).strict(),
  output: ShownSource,
  example: A_SOURCE,
  run: async (ctx, { id, paused }) => {
    const before = await requireSource(await database(), ctx.actor.contractorId, id)
    // The mail that ended the service three times would do so again.
    if (!paused && before.kind === 'mail' && before.pausedReason === 'stopped') await dropEarliestMail(before)
    return await changeManaged(ctx, id, paused ? 'source_paused' : 'source_resumed', async (_, source) => {
      if ((source.state === 'paused') === paused) return { state: source.state }
      if (paused) return { state: 'paused', pausedAt: ctx.now, pausedReason: 'person' }
      const fresh = { failures: 0, failingSince: null, nextAt: ctx.now }
      return { state: 'active', pausedAt: null, pausedReason: null, ...fresh }
    })
  },
})

/** Removes a source with its runs. What it loaded stays. */
export const removeSource = defineOperation({
  name: 'remove_source',
  title: 'Remove a source',
  description: 'Removes a source, its runs and what it holds. What it loaded stays.',
  access: 'admin',
  effect: 'write',
  input: z.object({ id: SourceId }).strict(),
  output: z.object({ id: z.string() }),
  example: { id: A_SOURCE.id },
  run: async ({ actor }, { id }) => {
    const by = personOf(actor)
    const { contractorId } = by
    const db = await database()
    const { name } = await requireSource(db, contractorId, id)
    for (const draft of await listDrafts(db.orm, contractorId, id)) await forgetDraft({ db, contractorId }, draft.id)
    await withinContractor(db.orm, contractorId, async (orm) => {
      if (!(await deleteSource(orm, contractorId, id))) throw noSource()
      await audit(orm, by, { event: 'source_removed', subject: id, detail: { name } })
    })
    return { id }
  },
})
