import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireActor } from '@/app/session/actor'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { Facts } from '@/app/ui/facts'
import { Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { createWebhook } from '@/lib/operations/webhooks/create-webhook'
import { getWebhookDelivery } from '@/lib/operations/webhooks/deliveries'
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

/** One delivery: its body, every attempt, and what the receiver answered. */
export default async function DeliveryPage({ params }: Props) {
  const { actor, current } = await requireActor(createWebhook)
  const { id, delivery } = await params
  const found = await find(actor, delivery)
  if (found.webhookId !== id) notFound()
  return (
    <>
      <PageHead title={found.type} actions={<LinkButton href={`/outgoing/${id}`}>The webhook</LinkButton>} />
      <div className="grid gap-6">
        <Card>
          <Facts
            facts={[
              ['State', <DeliveryBadge key="state" {...found} />],
              ['Created', <Time key="created" at={new Date(found.createdAt)} />],
              ...(found.nextAt
                ? [['Next attempt', <Time key="next" at={new Date(found.nextAt)} />] as [string, React.ReactNode]]
                : []),
              ['webhook-id', <code key="id">{found.messageId}</code>],
            ]}
          />
          {found.state !== 'pending' && <ReplayDelivery contractorId={current.contractorId} id={found.id} />}
        </Card>
        <Card title="Attempts">
          <Table
            caption="Attempts, earliest first"
            rows={found.attempts}
            rowKey={({ at }) => at}
            empty={<p className="text-quiet">None yet.</p>}
            columns={[
              { name: 'at', width: 'sm:w-50', head: 'When', cell: ({ at }) => <Time at={new Date(at)} /> },
              { name: 'status', width: 'sm:w-24', head: 'Status', cell: ({ status }) => status ?? '' },
              { name: 'ms', width: 'sm:w-24', head: 'Took', cell: ({ ms }) => `${ms} ms` },
              {
                name: 'error',
                width: 'sm:w-72',
                head: 'Error',
                cell: ({ error }) => <span className="wrap-anywhere">{error ? cleanText(error) : ''}</span>,
              },
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
