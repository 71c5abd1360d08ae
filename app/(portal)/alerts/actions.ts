'use server'

import { revalidatePath } from 'next/cache'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { setAlerts, testAlerts } from '@/lib/operations/alerts/alerts'
import { execute } from '@/lib/operations/execute'
import { DIGESTS, KINDS } from './kinds'

const checked = z
  .literal('on')
  .optional()
  .transform((value) => value === 'on')
const Kind = z.enum(KINDS.map(({ name }) => name))

const Form = z.object({
  'kinds[]': z.array(Kind).optional(),
  digest: z.enum(DIGESTS.map(({ name }) => name)),
  byEmail: checked,
  webhookUrl: z.string().trim().max(2_000).optional(),
  removeWebhook: checked,
})

/** Saves the user's alert settings. A blank URL keeps the saved one. */
export const saveAlertsAction = contractorAction(Form, async (actor, given) => {
  const { 'kinds[]': kinds = [], digest, byEmail, webhookUrl, removeWebhook } = given
  const url = removeWebhook ? null : webhookUrl || undefined
  await execute(
    setAlerts,
    { actor, now: new Date() },
    {
      kinds,
      digest,
      byEmail,
      ...(url !== undefined && { webhookUrl: url }),
    },
  )
  revalidatePath('/alerts')
  return { ok: true, message: kinds.length === 0 ? 'Saved. You get no alerts.' : 'Alerts saved.' }
})

/** Sends a test message to the user's alert channels. */
export const testAlertsAction = contractorAction(z.object({}), async (actor) => {
  await execute(testAlerts, { actor, now: new Date() }, {})
  revalidatePath('/alerts')
  return { ok: true, message: 'The test message will be sent within a minute.' }
})
