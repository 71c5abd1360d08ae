import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireActor } from '@/app/session/actor'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { Facts } from '@/app/ui/facts'
import { Tabs } from '@/app/ui/tabs.client'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanAnswer } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { getRecord } from '@/lib/operations/get-record'
import { dataCurl } from '../../curl'
import { requireResource, wordsOf } from '../../resources'
import { factsOf, nameOf } from '../../value'
import { Neighbours } from './neighbours'

export const metadata: Metadata = { title: 'Record' }

async function find(actor: PersonActor, id: string) {
  try {
    return await execute(getRecord, { actor, now: new Date() }, { id })
  } catch (error) {
    if (error instanceof ServiceError && /^(not_found|bad_request)$/.test(error.code)) return notFound()
    throw error
  }
}

export default async function RecordPage({ params }: { params: Promise<{ resource: string; id: string }> }) {
  const { actor } = await requireActor()
  const { resource: name, id: given } = await params
  const { resource } = requireResource(name)
  const found = await find(actor, decodeURIComponent(given))
  if (found.type !== resource.singular) notFound()
  const id = String(found.record.id)
  const record = cleanAnswer(found.record)
  const json = JSON.stringify(cleanAnswer(found), null, 2)
  return (
    <>
      <PageHead
        title={nameOf(record)}
        text={
          <>
            {wordsOf(resource.singular)} <code className="font-mono">{id}</code>
          </>
        }
        actions={<LinkButton href={`/data/${name}`}>{`All ${name}`}</LinkButton>}
      />
      <Card title="Fields" className="mb-6">
        <Facts facts={factsOf(resource, record)} />
      </Card>
      <Neighbours neighbours={cleanAnswer(found.neighbours)} id={id} of={resource.singular} />
      <h2 className="mt-8 mb-2">API request</h2>
      <Tabs
        label="API request"
        tabs={[
          {
            id: 'curl',
            name: 'curl',
            content: <CodeBlock label="Request" language="shell" code={dataCurl(`/${name}/${id}`)} />,
          },
          { id: 'json', name: 'JSON', content: <CodeBlock label="JSON" language="json" code={json} /> },
        ]}
      />
    </>
  )
}
