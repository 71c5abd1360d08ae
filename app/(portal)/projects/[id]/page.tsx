import type { Metadata } from 'next'
import { cache } from 'react'
import { Card } from '@/app/ui/card'
import { sentence } from '@/app/ui/data-column'
import { Amounts } from '@/app/ui/facts'
import { RecordHeader } from '@/app/ui/record-header'
import { cleanText } from '@/lib/core/clean'
import type { Desk } from '@/lib/core/desk'
import { viewProject } from '@/lib/operations/desk/view-project'
import { NotesCard } from '../../entries/notes-card'
import { LeadPerson } from '../../leads/person/person'
import { type Item, nameOf, numberOf, textOf, toneOf } from '../../records/columns'
import { Deleted } from '../../records/deleted'
import { ForDevelopers } from '../../records/for-developers'
import { addressOf, BesideTable, ContactCard, dayOf, known, RecordLink, sumIn } from '../../records/parts'
import { readRecord } from '../../records/read-record'

type Props = { params: Promise<{ id: string }> }

/** Statuses in which a project is still to be sold, and followed up. */
const LEADS = ['lead', 'estimate']

const find = cache((id: string) => readRecord(viewProject, id))
const titleOf = (record: Item) => cleanText(nameOf(record))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { found } = await find((await params).id)
  return { title: found ? titleOf(found.record) : 'Deleted project' }
}

/** Returns what matters of a project’s money: its contract, or for a lead nothing yet. */
function figureOf(record: Item, { words }: Desk) {
  const amount = numberOf(record, 'totalAmount') ?? 0
  if (amount === 0) return undefined
  const unpaid = numberOf(record, 'unpaid') ?? 0
  const text = unpaid > 0 ? `contract, ${words.money(unpaid)} to be paid` : 'contract'
  return { name: 'Contract', value: words.money(amount), text }
}

export default async function ProjectPage({ params }: Props) {
  const { id, at, actor, found, deletedAt } = await find((await params).id)
  if (!found) return <Deleted singular="project" path="/projects" id={id} at={deletedAt} />
  const { record, customer, lead, entries } = found
  const status = textOf(record, 'status') ?? ''
  // What a lead said stands with the lead.
  const description = lead?.message === record.description ? undefined : textOf(record, 'description')
  return (
    <>
      <RecordHeader
        list={{ href: '/projects', name: 'Projects' }}
        title={titleOf(record)}
        status={{ word: sentence(status), tone: toneOf(status) }}
        figure={figureOf(record, at)}
        facts={known([
          ['Customer', <RecordLink key="customer" of="customer" item={customer} />],
          ['Job', numberOf(record, 'jobNumber')],
          ['Site', addressOf(record).join(', ')],
          ['Starts', dayOf(record, 'startDate', at)],
          ['Ends', dayOf(record, 'endDate', at)],
          ['Lead source', lead && cleanText(lead.source)],
        ])}
      />
      {description && <p className="mb-6 max-w-prose wrap-anywhere whitespace-pre-wrap">{cleanText(description)}</p>}
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-8">
          {(['invoices', 'payments', 'estimates'] as const).map((name) => (
            <BesideTable
              key={name}
              name={name}
              beside={found[name]}
              of={{ projectId: id }}
              at={at}
              without={['customerId', 'projectId']}
            />
          ))}
          <LeadPerson actor={actor} projectId={id} />
        </div>
        <div className="grid gap-6">
          <Money money={found.money} at={at} />
          <NotesCard
            entries={entries}
            project={{ id, name: titleOf(record), isLead: LEADS.includes(status) }}
            actor={actor}
          />
          <ContactCard customer={customer} at={at} title={nameOf(customer)} />
        </div>
      </div>
      <ForDevelopers path="/projects" id={id} found={found} />
    </>
  )
}

type Sums = Record<
  'billed' | 'scheduled' | 'leftToBill' | 'paid' | 'refunded' | 'unpaid' | 'overdue' | 'retainage',
  number
>

/** What of a project was billed and paid. Sums that are zero say nothing and are left out. */
function Money({ money, at }: { money: Sums & { currency: string }; at: Desk }) {
  const sum = sumIn(at, money.currency)
  const facts = known([
    sum('Billed', money.billed),
    sum('Left to bill', money.leftToBill),
    sum('Billed ahead', money.scheduled),
    sum('Received', money.paid),
    sum('Refunded', money.refunded),
    sum('To be paid', money.unpaid),
    sum('Overdue', money.overdue),
    sum('Held back until the work is accepted', money.retainage),
  ])
  if (facts.length === 0) return null
  return (
    <Card title="Money">
      <Amounts amounts={facts} />
    </Card>
  )
}
