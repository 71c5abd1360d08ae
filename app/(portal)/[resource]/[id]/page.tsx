import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { sentence } from '@/app/ui/data-column'
import { RecordHeader } from '@/app/ui/record-header'
import { cleanText } from '@/lib/core/clean'
import { inWords, isResourceName } from '@/lib/core/resource-names'
import { views } from '@/lib/operations/desk/view-record'
import { resources } from '@/lib/resources/registry'
import { type Item, nameOf, textOf, toneOf } from '../../records/columns'
import { Deleted } from '../../records/deleted'
import { ForDevelopers } from '../../records/for-developers'
import { recordList } from '../../records/lists'
import { type Beside, BesideTable, ContactCard, dayOf, known, moneyOf, RecordLink } from '../../records/parts'
import { readRecord } from '../../records/read-record'

type Props = { params: Promise<{ resource: string; id: string }> }

const find = cache(async (name: string, id: string) => {
  const view = isResourceName(name) ? views.get(name) : undefined
  if (!isResourceName(name) || !view) notFound()
  return { resource: resources[name], ...(await readRecord(view, id)) }
})
const titleOf = (singular: string, record: Item) => `${sentence(singular)} ${cleanText(nameOf(record))}`

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { resource, id } = await params
  const { resource: of, found } = await find(resource, id)
  return { title: found ? titleOf(of.singular, found.record) : `Deleted ${of.singular}` }
}

/** Returns the other records beside this one. */
function othersOf({ items, names, count }: Beside, id: string): Beside {
  const rest = items.filter((item) => item.id !== id)
  return { items: rest, names, count: count - 1, total: null }
}

/** The page of a record whose resource has none of its own. */
export default async function RecordPage({ params }: Props) {
  const given = await params
  const { resource, id, at, found, deletedAt } = await find(given.resource, given.id)
  const { name, singular } = resource
  const path = `/${name}`
  if (!found) return <Deleted singular={singular} path={path} id={id} at={deletedAt} />
  const { record, customer, project, lead, others } = found
  const status = textOf(record, 'status')
  const amount = moneyOf(record, 'amount', at)
  const date = dayOf(record, 'date', at)
  const beside = project ?? customer
  const days = recordList(name).columns.filter((column) => column.kind === 'day' && column.name !== 'date')
  return (
    <>
      <RecordHeader
        list={{ href: path, name: sentence(inWords(name)) }}
        title={titleOf(singular, record)}
        {...(status && { status: { word: sentence(status), tone: toneOf(status) } })}
        {...(amount && { figure: { name: 'Amount', value: amount, text: date ? `of ${date}` : '' } })}
        facts={known([
          ['Customer', customer && <RecordLink key="customer" of="customer" item={customer} />],
          ['Project', project ? <RecordLink key="project" of="project" item={project} /> : 'None yet'],
          ...days.map(({ name, head }): [string, string | undefined] => [head, dayOf(record, name, at)]),
          ['Lead source', lead && cleanText(lead.source)],
        ])}
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        {beside && (
          <div className="min-w-0">
            {others.count < 2 && (
              <p className="text-quiet">
                No other {inWords(name)} for this {project ? 'project' : 'customer'}.
              </p>
            )}
            <BesideTable
              name={name}
              title={`Other ${inWords(name)} for this ${project ? 'project' : 'customer'}`}
              beside={othersOf(others, id)}
              of={{ [project ? 'projectId' : 'customerId']: String(beside.id) }}
              at={at}
              without={['customerId', ...(project ? ['projectId'] : [])]}
            />
          </div>
        )}
        {customer && <ContactCard customer={customer} at={at} title={nameOf(customer)} />}
      </div>
      <ForDevelopers path={path} id={id} found={found} />
    </>
  )
}
