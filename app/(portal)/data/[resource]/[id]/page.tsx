import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { requireActor } from '@/app/session/actor'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { Facts } from '@/app/ui/facts'
import { Id } from '@/app/ui/id.client'
import { Tabs } from '@/app/ui/tabs.client'
import { Time } from '@/app/ui/time'
import { cleanAnswer } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { getRecord } from '@/lib/operations/get-record'
import { Entries } from '../../../entries/entries'
import { dataCurl } from '../../curl'
import { requireResource, wordsOf } from '../../resources'
import { factsOf, nameOf } from '../../value'
import { Neighbours, namesAround } from './neighbours'

type Props = { params: Promise<{ resource: string; id: string }> }

/** Finds the record in the URL, once for the title and the page; undefined when it was deleted. Answers 404 for an unknown id. */
const find = cache(async (id: string) => {
  const { actor } = await requireActor()
  try {
    return await execute(getRecord, { actor, now: new Date() }, { id: decodeURIComponent(id) })
  } catch (error) {
    if (error instanceof ServiceError && /^(not_found|bad_request)$/.test(error.code)) return notFound()
    if (error instanceof ServiceError && error.code === 'gone') return { deletedAt: error.deletedAt ?? '' }
    throw error
  }
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await find((await params).id)
  if ('deletedAt' in found) return { title: 'Deleted record' }
  const { record, type } = found
  return { title: `${nameOf(cleanAnswer(record))}, ${type}` }
}

export default async function RecordPage({ params }: Props) {
  const { resource: name, id: given } = await params
  const { resource } = requireResource(name)
  const found = await find(given)
  if ('deletedAt' in found)
    return (
      <PageHead
        title={`Deleted ${resource.singular}`}
        text={
          <>
            <Id id={decodeURIComponent(given)} /> was deleted on <Time at={new Date(found.deletedAt)} />.
          </>
        }
        actions={<LinkButton href={`/data/${name}`}>{`All ${name}`}</LinkButton>}
      />
    )
  if (found.type !== resource.singular) notFound()
  const id = String(found.record.id)
  const record = cleanAnswer(found.record)
  const neighbours = cleanAnswer(found.neighbours)
  const names = namesAround(record, neighbours)
  const json = JSON.stringify(cleanAnswer(found), null, 2)
  return (
    <>
      <PageHead
        title={nameOf(record)}
        text={
          <>
            {wordsOf(resource.singular)} <Id id={id} />
          </>
        }
        actions={<LinkButton href={`/data/${name}`}>{`All ${name}`}</LinkButton>}
      />
      <Card title="Fields" className="mb-6">
        <Facts facts={factsOf(resource, record, names)} />
      </Card>
      {name === 'projects' && <Entries actor={(await requireActor()).actor} projectId={id} />}
      <Neighbours neighbours={neighbours} id={id} of={resource.singular} names={names} />
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
