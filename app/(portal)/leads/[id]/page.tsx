import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ComponentProps } from 'react'
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
import { Entries } from '../../entries/entries'
import { type KeyName, nameOf, readKeyNames } from '../../logs/rows'
import { MappingTable } from '../mapping'
import { OUTCOME_TONES } from '../outcomes'
import { Reasons } from '../reasons'
import { Fixer } from './fixer.client'
import { type Preview, previewFrom } from './fixes'
import { UntilRecovered } from './recovered.client'
import { PlainReplay, Replay } from './replay.client'

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

type Fact = ComponentProps<typeof Facts>['facts'][number]

const link = (name: string, href: string, text: string): Fact => [
  name,
  <a key={name} href={href}>
    {text}
  </a>,
]

function factsOf(delivery: Delivery, keys: KeyName[]): Fact[] {
  const { outcome, status, replayOf, replayOutcome, requestId } = delivery
  const project = projectOf(delivery)
  const jobNumber = delivery.jobNumber ?? delivery.replayJobNumber
  const facts: (Fact | false | null)[] = [
    delivery.phone ? ['Phone', cleanText(delivery.phone)] : null,
    delivery.email ? ['Email', cleanText(delivery.email)] : null,
    ['Outcome', <Badge key="outcome" tone={OUTCOME_TONES[outcome]}>{`${outcome}`}</Badge>],
    ['Answered', <Badge key="status" tone={statusTone(status)}>{`${status}`}</Badge>],
    ['Received', <Time key="time" at={delivery.receivedAt} seconds />],
    ['Source', cleanText(delivery.source)],
    ['Size', `${delivery.bytes.toLocaleString('en-US')} bytes`],
    ['Content type', cleanText(delivery.contentType ?? 'not given')],
    ['Key', nameOf(keys, delivery.keyId)],
    // A replay is not a request.
    replayOf === null && link('Request', `/logs/${requestId}`, 'Show in the log'),
    project !== null &&
      link('Project', `/data/projects/${project}`, jobNumber === null ? 'The project' : `Job ${jobNumber}`),
    replayOf !== null && link('Replay of', `/leads/${replayOf}`, 'the original delivery'),
    replayOutcome !== null && ['Replayed', replayOutcome],
  ]
  return facts.filter((fact) => !!fact)
}

/** Returns the project of a delivery, created at once or by a replay. */
const projectOf = ({ projectId, replayProjectId }: Delivery) => projectId ?? replayProjectId

/** Formats a body for reading: JSON is indented and highlighted, anything else is unchanged. */
function readable(body: string): { code: string; language?: 'json' } {
  try {
    return { code: JSON.stringify(JSON.parse(body), null, 2), language: 'json' }
  } catch {
    return { code: body }
  }
}

/** Returns the result of a replay without changes. */
async function previewOf(actor: PersonActor, delivery: string): Promise<Preview> {
  return previewFrom(await execute(tryLead, { actor, now: new Date() }, { delivery }))
}

/** Returns the project that a replay of a refused delivery created. */
function recoveryOf({ replayProjectId, replayJobNumber }: Delivery) {
  if (replayProjectId === null) return undefined
  const name = replayJobNumber === null ? 'a project' : `job ${replayJobNumber}`
  return { href: `/data/projects/${replayProjectId}`, name }
}

/** Returns the source of a delivery; empty when its name is unknown. */
const knownSource = ({ source }: Delivery): string => (SOURCE_NAMES.includes(source) ? source : '')

export default async function DeliveryPage({ params }: Props) {
  const { actor, current } = await requireActor(getLeadDelivery)
  const delivery = await find(actor, (await params).id)
  const keys = await readKeyNames(actor)
  const body = cleanText(delivery.body)
  const isOpen = /^(refused|failed)$/.test(delivery.outcome) && delivery.replayOf === null
  const isFixed = delivery.replayProjectId !== null
  const isSettled = isFixed || !isOpen
  const replay = actor.role === 'admin' &&
    isSettled && {
      id: delivery.id,
      contractorId: current.contractorId,
      source: knownSource(delivery),
      sources: SOURCE_NAMES,
    }
  const isWhole = Buffer.byteLength(delivery.body) >= delivery.bytes || body.includes('[removed]')
  return (
    <>
      <PageHead
        title={delivery.name ? `Lead of ${cleanText(delivery.name)}` : 'Lead without a name'}
        text={<code className="font-mono text-sm">{delivery.id}</code>}
        actions={
          <>
            <LinkButton href={`/leads/lab?delivery=${delivery.id}`}>Open in the lab</LinkButton>
            {replay && <Replay {...replay} body={body} />}
          </>
        }
      />
      <Facts facts={factsOf(delivery, keys)} />
      <Entries actor={actor} projectId={projectOf(delivery)} />
      <div className="grid gap-6">
        {replay && (
          <noscript>
            <Card
              title="Replay"
              text="If it already created a project, that project is found and no second one is created."
            >
              <PlainReplay {...replay} />
            </Card>
          </noscript>
        )}
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
          <Card title="How it was read" text="Our fields, and where each was found in the body.">
            <MappingTable mapping={delivery.mapping} />
          </Card>
        )}
        {(isSettled || actor.role !== 'admin') && (
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
