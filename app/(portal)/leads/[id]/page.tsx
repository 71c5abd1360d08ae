import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireActor } from '@/app/session/actor'
import { Badge, statusTone } from '@/app/ui/badge'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { Facts } from '@/app/ui/facts'
import { Time } from '@/app/ui/time'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import { getLeadDelivery, SOURCE_NAMES } from '@/lib/operations/deliveries'
import { execute } from '@/lib/operations/execute'
import { MappingTable } from '../mapping'
import { OUTCOME_TONES } from '../outcomes'
import { Reasons } from '../reasons'
import { Replay } from './replay.client'

export const metadata: Metadata = { title: 'Delivery' }

async function find(actor: PersonActor, id: string) {
  try {
    return await execute(getLeadDelivery, { actor, now: new Date() }, { id })
  } catch (error) {
    if (error instanceof ServiceError && /^(not_found|bad_request)$/.test(error.code)) notFound()
    throw error
  }
}

type Delivery = Awaited<ReturnType<typeof find>>

function factsOf(delivery: Delivery): Parameters<typeof Facts>[0]['facts'] {
  const { outcome, status, projectId, replayProjectId, replayOf, replayOutcome } = delivery
  const project = projectId ?? replayProjectId
  const name = delivery.jobNumber === null ? 'The project' : `Job ${delivery.jobNumber}`
  return [
    ['Outcome', <Badge key="outcome" tone={OUTCOME_TONES[outcome]}>{`${outcome}`}</Badge>],
    ['Answered', <Badge key="status" tone={statusTone(status)}>{`${status}`}</Badge>],
    ['Received', <Time key="time" at={delivery.receivedAt} seconds />],
    ['Source', cleanText(delivery.source)],
    ['Size', `${delivery.bytes.toLocaleString('en-US')} bytes`],
    ['Content type', cleanText(delivery.contentType ?? 'not said')],
    ['Key', <code key="key">{delivery.keyId ?? 'none'}</code>],
    ['Request', <code key="request">{delivery.requestId}</code>],
    ...(project
      ? [
          [
            'Project',
            <a key="project" href={`/data/projects/${project}`}>
              {name}
            </a>,
          ] as [string, React.ReactNode],
        ]
      : []),
    ...(replayOf
      ? [
          [
            'Replay of',
            <a key="of" href={`/leads/${replayOf}`}>
              the first delivery
            </a>,
          ] as [string, React.ReactNode],
        ]
      : []),
    ...(replayOutcome ? [['Replayed', replayOutcome] as [string, React.ReactNode]] : []),
  ]
}

export default async function DeliveryPage({ params }: { params: Promise<{ id: string }> }) {
  const { actor, current } = await requireActor(getLeadDelivery)
  const delivery = await find(actor, (await params).id)
  const body = cleanText(delivery.body)
  const isWhole = Buffer.byteLength(delivery.body) >= delivery.bytes || body.includes('[removed]')
  return (
    <>
      <PageHead
        title="Delivery"
        text={<code className="font-mono">{delivery.id}</code>}
        actions={
          <>
            <LinkButton href={`/leads/lab?delivery=${delivery.id}`}>Open in the lab</LinkButton>
            {actor.role === 'admin' && (
              <Replay
                id={delivery.id}
                contractorId={current.contractorId}
                source={SOURCE_NAMES.includes(delivery.source) ? delivery.source : ''}
                sources={SOURCE_NAMES}
                body={body}
              />
            )}
          </>
        }
      />
      <Facts facts={factsOf(delivery)} />
      <div className="grid gap-6">
        <Reasons delivery={delivery} />
        {delivery.mapping && (
          <Card title="How it was read" text="Our field, and where it was in the body.">
            <MappingTable mapping={delivery.mapping} />
          </Card>
        )}
        <Card
          title="Raw body"
          text={`As received, without secrets${isWhole ? '' : '; truncated, because it was too large to store in full'}. Untrusted input, shown as text.`}
        >
          {body === '' ? <p>The body was empty.</p> : <CodeBlock label="Body" code={body} />}
        </Card>
      </div>
    </>
  )
}
