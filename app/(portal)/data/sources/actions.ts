'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { execute } from '@/lib/operations/execute'
import { changeSource, pauseSource, removeSource } from '@/lib/operations/sources/change-source'
import { createSource } from '@/lib/operations/sources/create-source'
import { runSource } from '@/lib/operations/sources/run-source'
import { Schedule, SOURCE_FIELDS } from '@/lib/operations/sources/settings'

const now = () => new Date()
const Id = z.object({ id: z.string().max(40) })

/** An empty field of a form is one that is not given. */
const given = z.preprocess(
  (values) => Object.fromEntries(Object.entries(Object(values)).filter(([, value]) => value !== '')),
  z.object({
    kind: createSource.input.shape.kind.optional(),
    name: z.string().max(100).default(''),
    ...Schedule,
    ...SOURCE_FIELDS,
    complete: z
      .literal('on')
      .optional()
      .transform((value) => value === 'on'),
    dates: z.enum(['mdy', 'dmy']).nullable().default(null),
  }),
)

/** Sets up a source. The URL of mails is shown once; other kinds lead to the source's page. */
export const createSourceAction = contractorAction(given, async (actor, { kind = 'link', ...input }) => {
  const { id, url } = await execute(createSource, { actor, now: now() }, { ...input, kind })
  revalidatePath('/data/sources', 'layout')
  if (url === null) redirect(`/data/sources/${id}`)
  return { ok: true, data: { id, url } }
})

export const changeSourceAction = contractorAction(z.intersection(Id, given), async (actor, { kind: _, ...input }) => {
  await execute(changeSource, { actor, now: now() }, input)
  revalidatePath('/data/sources', 'layout')
  return { ok: true, message: 'Source saved.' }
})

/** Makes another URL for mails, shown once. */
export const newUrlAction = contractorAction(Id, async (actor, { id }) => {
  const { url } = await execute(changeSource, { actor, now: now() }, { id, newUrl: true })
  return { ok: true, data: { id, url: url ?? '' } }
})

export const newHostKeyAction = contractorAction(Id, async (actor, { id }) => {
  await execute(changeSource, { actor, now: now() }, { id, newHostKey: true })
  revalidatePath('/data/sources', 'layout')
  return { ok: true, message: 'The key that the server shows next is accepted.' }
})

export const runSourceAction = contractorAction(Id, async (actor, { id }) => {
  const { lastRun } = await execute(runSource, { actor, now: now() }, { id })
  revalidatePath('/data', 'layout')
  const outcome = lastRun?.outcome ?? 'running'
  return { ok: true, message: outcome === 'running' ? 'Still running. Reload in a moment.' : `Run: ${outcome}.` }
})

export const pauseSourceAction = contractorAction(
  z.object({ ...Id.shape, paused: z.enum(['true', 'false']) }),
  async (actor, { id, paused }) => {
    await execute(pauseSource, { actor, now: now() }, { id, paused: paused === 'true' })
    revalidatePath('/data/sources', 'layout')
    return { ok: true, message: paused === 'true' ? 'Source paused.' : 'Source resumed.' }
  },
)

export const removeSourceAction = contractorAction(Id, async (actor, { id }) => {
  await execute(removeSource, { actor, now: now() }, { id })
  revalidatePath('/data/sources', 'layout')
  redirect('/data/sources')
})
