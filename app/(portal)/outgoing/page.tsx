import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { EmptyState } from '@/app/ui/empty-state'
import { Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import { cleanText } from '@/lib/core/clean'
import { execute } from '@/lib/operations/execute'
import { createWebhook } from '@/lib/operations/webhooks/create-webhook'
import { listWebhooks } from '@/lib/operations/webhooks/list-webhooks'
import { hostOf, StateBadge } from './parts'

export const metadata: Metadata = { title: 'Webhooks' }

/** The contractor's outgoing webhooks, for its administrators. */
export default async function WebhooksPage() {
  const { actor, current } = await requireActor(createWebhook)
  const { items } = await execute(listWebhooks, { actor, now: new Date() }, {})
  const create = (
    <LinkButton look="main" href="/outgoing/new">
      Create webhook
    </LinkButton>
  )
  return (
    <>
      <PageHead
        title="Webhooks"
        text={
          <>
            What changes in {current.name}’s books is posted to these addresses, signed, at least once and in order for
            each record. <a href="/developers/guides/webhooks">Guide</a>
          </>
        }
        actions={items.length > 0 && create}
      />
      <Table
        caption="Webhooks"
        rows={items}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title="No webhooks yet"
            text="Create one to be told of new and changed customers, projects, invoices, payments and estimates within seconds."
            action={create}
          />
        }
        columns={[
          {
            name: 'url',
            width: 'sm:w-72',
            head: 'Sent to',
            cell: ({ id, url, description }) => (
              <>
                <a href={`/outgoing/${id}`} className="wrap-anywhere">
                  {hostOf(url)}
                </a>
                {description && (
                  <span className="block text-sm text-quiet wrap-anywhere">{cleanText(description)}</span>
                )}
              </>
            ),
          },
          { name: 'state', width: 'sm:w-40', head: 'State', cell: (webhook) => <StateBadge {...webhook} /> },
          { name: 'events', width: 'sm:w-28', head: 'Events', cell: ({ events }) => events.length },
          { name: 'waiting', width: 'sm:w-28', head: 'Waiting', cell: ({ waiting }) => waiting },
          {
            name: 'succeeded',
            width: 'sm:w-50',
            head: 'Last delivered',
            cell: ({ succeededAt }) => (succeededAt ? <Time at={new Date(succeededAt)} /> : 'Not yet'),
          },
        ]}
      />
    </>
  )
}
