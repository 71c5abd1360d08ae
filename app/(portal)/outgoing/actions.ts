'use server'

import { revalidatePath } from 'next/cache'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { execute } from '@/lib/operations/execute'
import { changeWebhook } from '@/lib/operations/webhooks/change-webhook'
import { createWebhook } from '@/lib/operations/webhooks/create-webhook'
import { deleteWebhook } from '@/lib/operations/webhooks/delete-webhook'
import { replayWebhook, replayWebhookDelivery, testWebhook } from '@/lib/operations/webhooks/deliveries'
import { rotateWebhookSecret } from '@/lib/operations/webhooks/rotate-webhook-secret'

const Events = z.array(z.string()).default([])
const Id = z.object({ id: z.string().max(40) })
const now = () => new Date()

/** Creates a webhook; its signing secret is shown only once. */
export const createWebhookAction = contractorAction(
  z.object({ url: z.string().max(2_000), description: z.string().max(200).default(''), 'events[]': Events }),
  async (actor, { url, description, 'events[]': events }) => {
    const { id, secret } = await execute(createWebhook, { actor, now: now() }, { url, description, events })
    return { ok: true, data: { id, secret } }
  },
)

export const changeWebhookAction = contractorAction(
  z.object({ ...Id.shape, url: z.string().max(2_000), description: z.string().max(200), 'events[]': Events }),
  async (actor, { 'events[]': events, ...input }) => {
    await execute(changeWebhook, { actor, now: now() }, { ...input, events })
    revalidatePath('/outgoing', 'layout')
    return { ok: true, message: 'Webhook saved.' }
  },
)

export const pauseWebhookAction = contractorAction(
  z.object({ ...Id.shape, paused: z.enum(['true', 'false']) }),
  async (actor, { id, paused }) => {
    await execute(changeWebhook, { actor, now: now() }, { id, paused: paused === 'true' })
    revalidatePath('/outgoing', 'layout')
    return { ok: true, message: paused === 'true' ? 'Webhook paused.' : 'Webhook resumed.' }
  },
)

export const rotateWebhookAction = contractorAction(
  z.object({ ...Id.shape, ends: z.enum(['24h', 'now']) }),
  async (actor, { id, ends }) => {
    const made = await execute(rotateWebhookSecret, { actor, now: now() }, { id, now: ends === 'now' })
    return { ok: true, data: { id, secret: made.secret } }
  },
)

export const deleteWebhookAction = contractorAction(Id, async (actor, { id }) => {
  await execute(deleteWebhook, { actor, now: now() }, { id })
  revalidatePath('/outgoing', 'layout')
  return { ok: true, message: 'Webhook deleted.' }
})

export const testWebhookAction = contractorAction(Id, async (actor, { id }) => {
  await execute(testWebhook, { actor, now: now() }, { id })
  revalidatePath('/outgoing', 'layout')
  return { ok: true, message: 'A test event is on its way.' }
})

export const replayDeliveryAction = contractorAction(Id, async (actor, { id }) => {
  await execute(replayWebhookDelivery, { actor, now: now() }, { id })
  revalidatePath('/outgoing', 'layout')
  return { ok: true, message: 'The event is on its way again.' }
})

export const replaySpanAction = contractorAction(
  z.object({ ...Id.shape, from: z.string().max(40), to: z.string().max(40) }),
  async (actor, { id, from, to }) => {
    const span = { id, from, ...(to === '' ? {} : { to }) }
    await execute(replayWebhook, { actor, now: now() }, span)
    revalidatePath('/outgoing', 'layout')
    return { ok: true, message: 'The events of that span are on their way again.' }
  },
)
