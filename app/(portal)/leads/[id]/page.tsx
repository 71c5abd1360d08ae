import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ComponentProps } from 'react'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { Time } from '@/app/session/time'
import { Badge, statusTone } from '@/app/ui/badge'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { Facts } from '@/app/ui/facts'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { phoneText } from '@/lib/core/contact'
import type { Desk } from '@/lib/core/desk'
import { ServiceError } from '@/lib/core/errors'
import { getLeadDelivery, SOURCE_NAMES } from '@/lib/operations/deliveries'
import { execute } from '@/lib/operations/execute'
import { tryLead } from '@/lib/operations/try-lead'
import { Entries } from '../../entries/notes-card'
import { type KeyName, nameOf, readKeyNames } from '../../logs/rows'
import { MappingTable } from '../mapping'
import { OUTCOME_TEXTS, OUTCOME_TONES } from '../outcomes'
import { LeadPerson } from '../person/person'
import { Reasons } from '../reasons'
import { sourceTitle } from '../sources'
import { Fixer } from './fixer.client'
import { type Preview, previewFrom } from './fixes'
import { UntilRecovered } from './recovered.client'
import { PlainReplay, Replay } from './replay.client'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Lead …${(await params).id.slice(-6)}` }
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

/** What became of a lead: one that was corrected is fixed, whatever it was when it came. */
function Result({ of: { outcome, projectId, replayProjectId } }: { of: Delivery }) {
  if (projectId === null && replayProjectId !== null) return <Badge tone="good">Fixed</Badge>
  return <Badge tone={OUTCOME_TONES[outcome]}>{OUTCOME_TEXTS[outcome]}</Badge>
}

/** What only those who set senders up need. */
function technicalOf({ id, status, bytes, contentType, keyId }: Delivery, keys: KeyName[]): Fact[] {
  return [
    ['Delivery', <code key="id">{id}</code>],
    ['HTTP status', <Badge key="status" tone={statusTone(status)}>{`${status}`}</Badge>],
    ['Size', `${bytes.toLocaleString('en-US')} bytes`],
    ['Content type', cleanText(contentType ?? 'not given')],
    ['Key', nameOf(keys, keyId)],
  ]
}

function factsOf(delivery: Delivery, { country }: Desk): Fact[] {
  const { replayOf, replayOutcome, requestId } = delivery
  const project = projectOf(delivery)
  const jobNumber = delivery.jobNumber ?? delivery.replayJobNumber
  const facts: (Fact | false | null)[] = [
    delivery.phone ? ['Phone', phoneText(cleanText(delivery.phone), country)] : null,
    delivery.email ? ['Email', cleanText(delivery.email)] : null,
    ['Result', <Result key="outcome" of={delivery} />],
    ['Received', <Time key="time" at={delivery.receivedAt} seconds />],
    ['Source', sourceTitle(delivery.source)],
    // A replay is not a request.
    replayOf === null && link('Request', `/logs/${requestId}`, 'Show in the log'),
    project !== null &&
      link('Project', `/projects/${project}`, jobNumber === null ? 'The project' : `Job ${jobNumber}`),
    replayOf !== null && link('Replay of', `/leads/${replayOf}`, 'the original delivery'),
    replayOutcome !== null && ['Replayed', OUTCOME_TEXTS[replayOutcome]],
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
  return { href: `/projects/${replayProjectId}`, name }
}

/** Returns the source of a delivery; empty when its name is unknown. */
const knownSource = ({ source }: Delivery): string => (SOURCE_NAMES.includes(source) ? source : '')

export default async function DeliveryPage({ params }: Props) {
  const { actor, current } = await requireActor(getLeadDelivery)
  const delivery = await find(actor, (await params).id)
  const [keys, at] = await Promise.all([readKeyNames(actor), desk()])
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
        under={[{ name: 'Leads', href: '/leads' }]}
        title={delivery.name ? `Lead of ${cleanText(delivery.name)}` : 'Lead without a name'}
        actions={
          <>
            <LinkButton href={`/leads/lab?delivery=${delivery.id}`}>Test this body</LinkButton>
            {replay && <Replay {...replay} body={body} />}
          </>
        }
      />
      <Facts facts={factsOf(delivery, at)} />
      <details className="mb-4">
        <summary className="w-fit">Technical details</summary>
        <Facts facts={technicalOf(delivery, keys)} />
      </details>
      <div className="grid gap-6">
        <LeadPerson actor={actor} projectId={projectOf(delivery)} />
        <Entries actor={actor} projectId={projectOf(delivery)} />
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
                sources={SOURCE_NAMES.map((name) => ({ name, title: sourceTitle(name) }))}
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
