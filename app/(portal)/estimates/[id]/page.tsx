import type { Metadata } from 'next'
import { cache } from 'react'
import { sentence } from '@/app/ui/data-column'
import { RecordHeader } from '@/app/ui/record-header'
import { cleanText } from '@/lib/core/clean'
import { viewEstimate } from '@/lib/operations/desk/view-project'
import { type Item, nameOf, textOf, toneOf } from '../../records/columns'
import { Deleted } from '../../records/deleted'
import { ForDevelopers } from '../../records/for-developers'
import { type Beside, BesideTable, ContactCard, dayOf, known, moneyOf, RecordLink } from '../../records/parts'
import { readRecord } from '../../records/read-record'

type Props = { params: Promise<{ id: string }> }

const find = cache((id: string) => readRecord(viewEstimate, id))
const titleOf = (record: Item) => `Estimate ${cleanText(nameOf(record))}`

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { found } = await find((await params).id)
  return { title: found ? titleOf(found.record) : 'Deleted estimate' }
}

/** Returns the other estimates beside this one. */
function othersOf({ items, names, count }: Beside, id: string): Beside {
  const rest = items.filter((item) => item.id !== id)
  return { items: rest, names, count: count - 1, total: null }
}

export default async function EstimatePage({ params }: Props) {
  const { id, at, found, deletedAt } = await find((await params).id)
  if (!found) return <Deleted singular="estimate" path="/estimates" id={id} at={deletedAt} />
  const { record, customer, project, lead, others } = found
  const status = textOf(record, 'status') ?? ''
  const valid = dayOf(record, 'validUntil', at)
  return (
    <>
      <RecordHeader
        list={{ href: '/estimates', name: 'Estimates' }}
        title={titleOf(record)}
        status={{ word: sentence(status), tone: toneOf(status) }}
        figure={{
          name: 'Amount',
          value: moneyOf(record, 'amount', at) ?? '',
          text: [`of ${dayOf(record, 'date', at)}`, valid && `valid until ${valid}`].filter(Boolean).join(', '),
        }}
        facts={known([
          ['Customer', <RecordLink key="customer" of="customer" item={customer} />],
          ['Project', project ? <RecordLink key="project" of="project" item={project} /> : 'None yet'],
          ['Lead source', lead && cleanText(lead.source)],
        ])}
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          {others.count < 2 && (
            <p className="text-quiet">No other estimates for this {project ? 'project' : 'customer'}.</p>
          )}
          <BesideTable
            name="estimates"
            title={project ? 'Other estimates for this project' : 'Other estimates for this customer'}
            beside={othersOf(others, id)}
            of={project ? { projectId: String(project.id) } : { customerId: String(customer.id) }}
            at={at}
            without={['customerId', ...(project ? ['projectId'] : [])]}
          />
        </div>
        <ContactCard customer={customer} at={at} title={nameOf(customer)} />
      </div>
      <ForDevelopers path="/estimates" id={id} found={found} />
    </>
  )
}
