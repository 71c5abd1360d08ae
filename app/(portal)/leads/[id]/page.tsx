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
import { tryLead } from '@/lib/operations/try-lead'
import { type KeyName, nameOf, readKeyNames } from '../../logs/rows'
import { MappingTable } from '../mapping'
import { OUTCOME_TONES } from '../outcomes'
import { Reasons } from '../reasons'
import { Fixer } from './fixer.client'
import { type Preview, previewFrom } from './fixes'
import { UntilRecovered } from './recovered.client'
import { Replay } from './replay.client'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Delivery …${(await params).id.slice(-6)}` }
}

async function find(actor: PersonActor, id: string) {
  try {
    return await execute(getLeadDelivery, { actor, now: new Date() }, { id })
  } catch (error) {
    if (error instanceof ServiceError && /^(not_found|bad_request)$/.test(error.code)) notFound()
    throw error
  }
}

type Delivery = Awaited<ReturnType<typeof find>>

function factsOf(delivery: Delivery, keys: KeyName[]): Parameters<typeof Facts>[0]['facts'] {
  const { outcome, status, projectId, replayProjectId, replayOf, replayOutcome } = delivery
  const project = projectId ?? replayProjectId
  const jobNumber = delivery.jobNumber ?? delivery.replayJobNumber
  const name = jobNumber === null ? 'The project' : `Job ${jobNumber}`
  return [
    ...[delivery.phone, delivery.email].flatMap((contact, at): [string, React.ReactNode][] =>
      contact ? [[at === 0 ? 'Phone' : 'Email', cleanText(contact)]] : [],
    ),
    ['Outcome', <Badge key="outcome" tone={OUTCOME_TONES[outcome]}>{`${outcome}`}</Badge>],
    ['Answered', <Badge key="status" tone={statusTone(status)}>{`${status}`}</Badge>],
    ['Received', <Time key="time" at={delivery.receivedAt} seconds />],
    ['Source', cleanText(delivery.source)],
    ['Size', `${delivery.bytes.toLocaleString('en-US')} bytes`],
    ['Content type', cleanText(delivery.contentType ?? 'not said')],
    ['Key', nameOf(keys, delivery.keyId)],
    // A replay is no request.
    ...(replayOf
      ? []
      : [
          [
            'Request',
            <a key="request" href={`/logs/${delivery.requestId}`}>
              Show in the log
            </a>,
          ] as [string, React.ReactNode],
        ]),
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
              the original delivery
            </a>,
          ] as [string, React.ReactNode],
        ]
      : []),
    ...(replayOutcome ? [['Replayed', replayOutcome] as [string, React.ReactNode]] : []),
  ]
}

/** A body as it is read best: JSON indented and colored, anything else as it came. */
function readable(body: string): { code: string; language?: 'json' } {
  try {
    return { code: JSON.stringify(JSON.parse(body), null, 2), language: 'json' }
  } catch {
    return { code: body }
  }
}

/** What a replay would do now. */
async function previewOf(actor: PersonActor, delivery: string): Promise<Preview> {
  return previewFrom(await execute(tryLead, { actor, now: new Date() }, { delivery }))
}

/** The project a refused delivery became when it was replayed. */
function recoveryOf({ replayProjectId, replayJobNumber }: Delivery) {
  if (replayProjectId === null) return undefined
  const name = replayJobNumber === null ? 'a project' : `job ${replayJobNumber}`
  return { href: `/data/projects/${replayProjectId}`, name }
}

export default async function DeliveryPage({ params }: Props) {
  const { actor, current } = await requireActor(getLeadDelivery)
  const delivery = await find(actor, (await params).id)
  const keys = await readKeyNames(actor)
  const body = cleanText(delivery.body)
  const isOpen = /^(refused|failed)$/.test(delivery.outcome) && delivery.replayOf === null
  const isFixed = delivery.replayProjectId !== null
  const isWhole = Buffer.byteLength(delivery.body) >= delivery.bytes || body.includes('[removed]')
  return (
    <>
      <PageHead
        title={delivery.name ? `Lead of ${cleanText(delivery.name)}` : 'Lead without a name'}
        text={<code className="font-mono text-sm">{delivery.id}</code>}
        actions={
          <>
            <LinkButton href={`/leads/lab?delivery=${delivery.id}`}>Open in the lab</LinkButton>
            {actor.role === 'admin' && (isFixed || !isOpen) && (
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
      <Facts facts={factsOf(delivery, keys)} />
      <div className="grid gap-6">
        {!isFixed && <Reasons delivery={delivery} />}
        {isOpen && (
          <UntilRecovered recovered={recoveryOf(delivery)}>
            {actor.role === 'admin' && (
              <Fixer
                id={delivery.id}
                contractorId={current.contractorId}
                sources={SOURCE_NAMES}
                preview={await previewOf(actor, delivery.id)}
                body={body}
              >
                <CodeBlock label="Body" {...readable(body)} />
              </Fixer>
            )}
          </UntilRecovered>
        )}
        {delivery.mapping && (
          <Card title="How it was read" text="Our field, and where it was in the body.">
            <MappingTable mapping={delivery.mapping} />
          </Card>
        )}
        {(isFixed || !isOpen || actor.role !== 'admin') && (
          <Card
            title="Raw body"
            text={`As received, without secrets${isWhole ? '' : '; truncated, because it was too large to store in full'}. Untrusted input, shown as text.`}
          >
            {body === '' ? <p>The body was empty.</p> : <CodeBlock label="Body" {...readable(body)} />}
          </Card>
        )}
      </div>
    </>
  )
}
