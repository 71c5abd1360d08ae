import type * as z from 'zod'
import { Badge } from '@/app/ui/badge'
import { sentence } from '@/app/ui/data-column'
import type { listWebhookDeliveries } from '@/lib/operations/webhooks/deliveries'
import type { getWebhook } from '@/lib/operations/webhooks/list-webhooks'

/** A webhook, and one of its deliveries, as pages get them. */
export type Webhook = z.output<typeof getWebhook.output>
export type Delivery = z.output<typeof listWebhookDeliveries.output>['items'][number]

export const hostOf = (url: string): string => new URL(url).hostname

const REASONS: Record<NonNullable<Webhook['pausedReason']>, string> = {
  person: 'Paused by a person.',
  failing: 'Paused because it took no event for 72 hours.',
  refused: 'Paused because it answered 410 Gone.',
  too_old: 'Paused because what follows its last event is no longer in the feed. Resuming begins with new events.',
  key: 'Paused because the API key that last set its address was revoked or has expired. Check the address, then resume.',
  connection:
    'Paused because the connected program that last set its address was disconnected. Check the address, then resume.',
  member:
    'Paused because the person who last set its address is no longer an administrator. Check the address, then resume.',
  stopped: 'Paused because the service stopped three times in a row while it sent an event. Resuming sends it again.',
  secret: 'Paused because its signing secret cannot be read any more. Rotate the secret, then resume.',
}

/** Returns in a sentence why a webhook is paused. */
export const reasonOf = ({ pausedReason }: Webhook): string | undefined =>
  pausedReason === null ? undefined : REASONS[pausedReason]

/** A webhook's state. */
export function StateBadge({ state, failingSince }: Pick<Webhook, 'state' | 'failingSince'>) {
  if (state === 'paused') return <Badge tone="danger">Paused</Badge>
  return failingSince ? <Badge tone="warn">Failing, retrying</Badge> : <Badge tone="good">Active</Badge>
}

const TONES = { delivered: 'good', failed: 'danger', pending: 'neutral' } as const

export function DeliveryBadge({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>) {
  const retrying = state === 'pending' && attempts.length > 0
  return (
    <Badge tone={retrying ? 'warn' : TONES[state]}>
      {retrying ? `Retrying (${attempts.length} so far)` : sentence(state)}
    </Badge>
  )
}
