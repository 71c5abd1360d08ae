import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { PageHead } from '@/app/ui/card'
import { createWebhook } from '@/lib/operations/webhooks/create-webhook'
import { WEBHOOK_EVENTS } from '@/lib/operations/webhooks/fields'
import { CreateWebhook } from '../forms.client'

export const metadata: Metadata = { title: 'Create webhook' }

export default async function NewWebhookPage() {
  const { current } = await requireActor(createWebhook)
  return (
    <div className="max-w-lg">
      <PageHead
        title="Create webhook"
        text={`For ${current.name}. It gets what changes from now on.`}
        under={[{ name: 'Webhooks', href: '/outgoing' }]}
      />
      <CreateWebhook contractorId={current.contractorId} types={WEBHOOK_EVENTS} />
    </div>
  )
}
