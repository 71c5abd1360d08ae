import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { Time } from '@/app/session/time'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import { Facts } from '@/app/ui/facts'
import { Notice } from '@/app/ui/notice'
import { Pagination } from '@/app/ui/pagination'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { createWebhook } from '@/lib/operations/webhooks/create-webhook'
import { listWebhookDeliveries } from '@/lib/operations/webhooks/deliveries'
import { WEBHOOK_EVENTS } from '@/lib/operations/webhooks/fields'
import { getWebhook } from '@/lib/operations/webhooks/list-webhooks'
import { eventName } from '../events'
import { ChangeWebhook, DeleteWebhook, PauseWebhook, ReplaySpan, RotateWebhook, TestWebhook } from '../forms.client'
import { DeliveryBadge, hostOf, reasonOf, StateBadge } from '../parts'

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ before?: string; state?: string }> }

export const metadata: Metadata = { title: 'Webhook' }

async function find(actor: PersonActor, id: string) {
  try {
    return await execute(getWebhook, { actor, now: new Date() }, { id })
  } catch (error) {
    if (error instanceof ServiceError && /^(not_found|bad_request)$/.test(error.code)) notFound()
    throw error
  }
}

/** The page of a webhook: its state, what was sent, and everything that can be done with it. */
export default async function WebhookPage({ params, searchParams }: Props) {
  const { actor, current } = await requireActor(createWebhook)
  const [{ id }, { before, state }] = [await params, await searchParams]
  const [webhook, at] = await Promise.all([find(actor, id), desk()])
  const failed = state === 'failed'
  const { items, next } = await execute(
    listWebhookDeliveries,
    { actor, now: at.now },
    { webhook: id, limit: 25, ...(/^\d{1,15}$/.test(before ?? '') ? { before } : {}), ...(failed ? { state } : {}) },
  )
  const of = { contractorId: current.contractorId, id }
  const here = `/outgoing/${id}`
  const also = failed ? '&state=failed' : ''
  const reason = reasonOf(webhook)
  return (
    <>
      <PageHead
        title={hostOf(webhook.url)}
        text={cleanText(webhook.description)}
        under={[{ name: 'Webhooks', href: '/outgoing' }]}
      />
      <div className="grid gap-6">
        {reason && (
          <Notice tone="danger">
            <p>{reason} Its events wait, for up to 90 days.</p>
          </Notice>
        )}
        <Card>
          <Facts
            facts={[
              ['State', <StateBadge key="state" {...webhook} />],
              ['Waiting', `${webhook.waiting}${webhook.replaying ? ', replaying' : ''}`],
              [
                'Last delivered',
                webhook.succeededAt ? <Time key="at" at={new Date(webhook.succeededAt)} /> : 'Not yet',
              ],
              ...(webhook.failingSince
                ? [
                    ['Failing since', <Time key="since" at={new Date(webhook.failingSince)} />] as [
                      string,
                      React.ReactNode,
                    ],
                  ]
                : []),
              ['URL', <code key="url">{webhook.url}</code>],
            ]}
          />
          <div className="flex flex-wrap gap-3">
            <PauseWebhook {...of} isPaused={webhook.state === 'paused'} />
            <TestWebhook {...of} />
          </div>
        </Card>
        <Card
          title="Deliveries"
          text="Kept for 30 days. A failed attempt is repeated for about two days; an endpoint that takes nothing at all is tried for three."
          actions={
            <LinkButton size="small" href={failed ? here : `${here}?state=failed`}>
              {failed ? 'Show all' : 'Show failed'}
            </LinkButton>
          }
        >
          <DataTable
            desk={at}
            caption="Deliveries, latest first"
            rows={items}
            rowKey={(each) => each.id}
            empty={<p className="text-quiet">{failed ? 'None failed.' : 'Nothing was sent yet.'}</p>}
            columns={[
              {
                name: 'type',
                head: 'Event',
                kind: 'text',
                value: ({ type }) => eventName(type),
                href: (each) => `${here}/${each.id}`,
              },
              {
                name: 'state',
                head: 'State',
                kind: 'parts',
                width: '@xl:w-44',
                parts: (each) => (
                  <>
                    <DeliveryBadge {...each} />
                    {each.isReplay && <span className="text-sm text-quiet"> replay</span>}
                  </>
                ),
              },
              {
                name: 'status',
                head: 'Status',
                kind: 'text',
                isShort: true,
                value: ({ status }) => status?.toString(),
              },
              { name: 'created', head: 'Created', kind: 'moment', value: ({ createdAt }) => createdAt },
            ]}
          />
          <Pagination
            of="deliveries"
            {...(before === undefined ? {} : { first: failed ? `${here}?state=failed` : here })}
            {...(next === null ? {} : { next: `${here}?before=${next}${also}` })}
          />
        </Card>
        <Card
          title="Replay a span"
          text="Sends every event of these days again, also those of before this webhook was created."
        >
          <ReplaySpan {...of} />
        </Card>
        <Card title="Settings">
          <ChangeWebhook {...of} types={WEBHOOK_EVENTS} present={webhook} />
        </Card>
        <Card title="Signing secret" text="A new secret is shown once.">
          <RotateWebhook {...of} />
        </Card>
        <Card title="Delete" text="Nothing more is sent, and its deliveries are deleted.">
          <DeleteWebhook {...of} />
        </Card>
      </div>
    </>
  )
}
