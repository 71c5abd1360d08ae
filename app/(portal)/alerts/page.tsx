import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { Badge } from '@/app/ui/badge'
import { Card, PageHead } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import { cleanText } from '@/lib/core/clean'
import { getAlerts } from '@/lib/operations/alerts/alerts'
import { execute } from '@/lib/operations/execute'
import { AlertsForm, TestAlerts } from './form.client'

export const metadata: Metadata = { title: 'Alerts' }

type Message = Awaited<ReturnType<typeof read>>['messages'][number]

const read = (actor: Awaited<ReturnType<typeof requireActor>>['actor']) =>
  execute(getAlerts, { actor, now: new Date() }, {})

/** Shows whether a message was sent. */
function State({ sentAt, failedAt, attempts, lastError }: Message) {
  const [tone, words] = sentAt
    ? (['good', 'Sent'] as const)
    : failedAt
      ? (['danger', 'Failed'] as const)
      : (['neutral', attempts === 0 ? 'Waiting' : `Retrying (${attempts} attempts so far)`] as const)
  return (
    <>
      <Badge tone={tone}>{words}</Badge>
      {lastError && <span className="block text-sm text-quiet wrap-anywhere">{cleanText(lastError)}</span>}
    </>
  )
}

export default async function AlertsPage() {
  const { actor, current, session } = await requireActor(getAlerts)
  const { messages, ...settings } = await read(actor)
  const at = await desk()
  const hasPlace = settings.byEmail || settings.webhookHost !== null
  return (
    <>
      <PageHead
        title="Alerts"
        text={`Your alerts for ${current.name}. Each person on the team has their own. Nothing is sent until you choose alerts.`}
      />
      <div className="grid gap-6">
        <Card>
          <AlertsForm contractorId={current.contractorId} email={session.person.email} settings={settings} />
        </Card>
        {hasPlace && (
          <Card
            title="Latest messages"
            text="Failed messages are retried for about a day."
            actions={<TestAlerts contractorId={current.contractorId} />}
          >
            <DataTable
              desk={at}
              caption="Messages, newest first"
              rows={messages}
              rowKey={({ id }) => id}
              empty={<p className="text-quiet">No messages yet.</p>}
              columns={[
                { name: 'subject', head: 'Subject', kind: 'text', isLong: true, value: ({ subject }) => subject },
                {
                  name: 'channel',
                  head: 'To',
                  kind: 'text',
                  isShort: true,
                  rank: 2,
                  value: ({ channel }) => (channel === 'email' ? 'Email' : 'Webhook'),
                },
                { name: 'state', head: 'State', kind: 'parts', parts: (message) => <State {...message} /> },
                { name: 'created', head: 'Created', kind: 'moment', value: ({ createdAt }) => createdAt },
              ]}
            />
          </Card>
        )}
      </div>
    </>
  )
}
