import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { RESOURCES_IN_WORDS } from '@/lib/core/resource-names'
import { execute } from '@/lib/operations/execute'
import { createWebhook } from '@/lib/operations/webhooks/create-webhook'
import { listWebhooks } from '@/lib/operations/webhooks/list-webhooks'
import { hostOf, StateBadge } from './parts'

export const metadata: Metadata = { title: 'Webhooks' }

/** The contractor's outgoing webhooks, for its administrators. */
export default async function WebhooksPage() {
  const { actor, current } = await requireActor(createWebhook)
  const at = await desk()
  const { items } = await execute(listWebhooks, { actor, now: at.now }, {})
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
      <DataTable
        desk={at}
        caption="Webhooks"
        rows={items}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title="No webhooks yet"
            text={`Create one to be told of new and changed ${RESOURCES_IN_WORDS} within seconds.`}
            action={create}
          />
        }
        columns={[
          {
            name: 'url',
            head: 'Sent to',
            kind: 'text',
            value: ({ url }) => hostOf(url),
            under: ({ description }) => description,
            href: ({ id }) => `/outgoing/${id}`,
          },
          {
            name: 'state',
            head: 'State',
            kind: 'parts',
            width: '@xl:w-40',
            parts: (webhook) => <StateBadge {...webhook} />,
          },
          { name: 'events', head: 'Events', kind: 'count', rank: 2, value: ({ events }) => events.length },
          { name: 'waiting', head: 'Waiting', kind: 'count', value: ({ waiting }) => waiting },
          { name: 'succeeded', head: 'Last delivered', kind: 'moment', value: ({ succeededAt }) => succeededAt },
        ]}
      />
    </>
  )
}
