import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { Time } from '@/app/session/time'
import { Card, PageHead } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { DataTable } from '@/app/ui/data-table'
import { Facts } from '@/app/ui/facts'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { createWebhook } from '@/lib/operations/webhooks/create-webhook'
import { getWebhookDelivery } from '@/lib/operations/webhooks/deliveries'
import { eventName } from '../../events'
import { ReplayDelivery } from '../../forms.client'
import { DeliveryBadge } from '../../parts'

type Props = { params: Promise<{ id: string; delivery: string }> }

export const metadata: Metadata = { title: 'Webhook delivery' }

async function find(actor: PersonActor, id: string) {
  try {
    return await execute(getWebhookDelivery, { actor, now: new Date() }, { id })
  } catch (error) {
    if (error instanceof ServiceError && /^(not_found|bad_request)$/.test(error.code)) notFound()
    throw error
  }
}

const indented = (body: string): string => cleanText(JSON.stringify(JSON.parse(body), null, 2))

/** The page of a delivery: its body, every attempt, and what the receiver answered. */
export default async function DeliveryPage({ params }: Props) {
  const { actor, current } = await requireActor(createWebhook)
  const { id, delivery } = await params
  const [found, at] = await Promise.all([find(actor, delivery), desk()])
  if (found.webhookId !== id) notFound()
  return (
    <>
      <PageHead
        under={[
          { name: 'Webhooks', href: '/outgoing' },
          { name: 'Webhook', href: `/outgoing/${id}` },
        ]}
        title={eventName(found.type)}
      />
      <div className="grid gap-6">
        <Card>
          <Facts
            facts={[
              ['State', <DeliveryBadge key="state" {...found} />],
              ['Created', <Time key="created" at={new Date(found.createdAt)} />],
              ...(found.nextAt
                ? [['Next attempt', <Time key="next" at={new Date(found.nextAt)} />] as [string, React.ReactNode]]
                : []),
              ['Event', <code key="event">{found.type}</code>],
              ['webhook-id', <code key="id">{found.messageId}</code>],
            ]}
          />
          {found.state !== 'pending' && <ReplayDelivery contractorId={current.contractorId} id={found.id} />}
        </Card>
        <Card title="Attempts">
          <DataTable
            desk={at}
            caption="Attempts, earliest first"
            rows={found.attempts}
            rowKey={(attempt) => attempt.at}
            empty={<p className="text-quiet">None yet.</p>}
            columns={[
              { name: 'at', head: 'When', kind: 'moment', value: (attempt) => attempt.at },
              {
                name: 'status',
                head: 'Status',
                kind: 'text',
                isShort: true,
                value: ({ status }) => status?.toString(),
              },
              { name: 'ms', head: 'Took', kind: 'text', isShort: true, value: ({ ms }) => `${ms} ms` },
              { name: 'error', head: 'Error', kind: 'text', isLong: true, value: ({ error }) => error },
            ]}
          />
        </Card>
        <Card title="Body">
          <CodeBlock label="Body" code={indented(found.body)} language="json" />
        </Card>
        {found.response !== null && found.response !== '' && (
          <Card title="Last answer" text="Untrusted input, shown as text.">
            <CodeBlock label="Last answer" code={cleanText(found.response)} />
          </Card>
        )}
      </div>
    </>
  )
}
