'use server'

import { revalidatePath } from 'next/cache'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { replayLeadDelivery, SOURCE_NAMES } from '@/lib/operations/deliveries'
import { execute } from '@/lib/operations/execute'
import { tryLead } from '@/lib/operations/try-lead'
import type { FormResult } from '@/lib/portal/form-result'
import { previewFrom } from './[id]/fixes'

/** A source; forms send an empty text for auto-detection. */
const Source = z
  .enum([...SOURCE_NAMES, ''])
  .optional()
  .transform((name) => name || undefined)
const Body = z.string().max(65_536, 'The body is larger than 64 KB.')

const Replay = z.object({ id: z.string(), source: Source, body: Body.optional() })

/** The form names its inputs `field.` plus our field name; the operation refuses unknown names. */
const PREFIX = 'field.'
const Fix = Replay.catchall(z.string()).transform(({ id, source, body, ...inputs }) => ({
  id,
  source,
  body: body?.trim() ? body : undefined,
  fields: Object.fromEntries(
    Object.entries(inputs).flatMap(([name, value]) =>
      name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), value]] : [],
    ),
  ),
}))

/** Replays a delivery with its fields corrected. */
export const fixAction = contractorAction(Fix, async (actor, fix): Promise<FormResult> => {
  const { outcome, message, jobNumber } = await execute(replayLeadDelivery, { actor, now: new Date() }, fix)
  revalidatePath('/leads', 'layout')
  if (outcome === 'refused') return { ok: false, error: `It was refused again. ${message}` }
  return { ok: true, message: jobNumber === undefined ? message : `${message} It is job ${jobNumber}.` }
})

/** Previews a replay with corrected fields; creates nothing. */
export const previewAction = contractorAction(Fix, async (actor, { id, ...fix }) => ({
  ok: true,
  data: previewFrom(await execute(tryLead, { actor, now: new Date() }, { delivery: id, ...fix })),
}))

/** Replays a delivery. A second refusal is stored like any other, and shown as an error of the form. */
export const replayAction = contractorAction(Replay, async (actor, { id, source, body }): Promise<FormResult> => {
  const result = await execute(
    replayLeadDelivery,
    { actor, now: new Date() },
    { id, source, body: body?.trim() ? body : undefined },
  )
  revalidatePath('/leads', 'layout')
  const { outcome, message, jobNumber } = result
  if (outcome === 'refused') return { ok: false, error: `It was refused again. ${message}` }
  return { ok: true, message: jobNumber === undefined ? message : `${message} It is job ${jobNumber}.` }
})

const Trial = z.object({
  body: Body.refine((body) => body.trim() !== '', 'Paste the body that the sender posts.'),
  source: Source,
  contentType: z.string().max(200),
})

/** Reads a body as the webhook would; creates nothing. */
export const tryAction = contractorAction(Trial, async (actor, trial) => ({
  ok: true,
  data: await execute(tryLead, { actor, now: new Date() }, trial),
}))
