import type { Metadata } from 'next'
import { cache } from 'react'
import { Card } from '@/app/ui/card'
import { sentence, storedDay } from '@/app/ui/data-column'
import { Amounts } from '@/app/ui/facts'
import { RecordHeader } from '@/app/ui/record-header'
import { inOrder, Timeline, type TimelineEvent } from '@/app/ui/timeline'
import { cleanText } from '@/lib/core/clean'
import type { Desk } from '@/lib/core/desk'
import { viewInvoice } from '@/lib/operations/desk/view-invoice'
import { type Item, nameOf, numberOf, textOf, toneOf } from '../../records/columns'
import { Deleted } from '../../records/deleted'
import { ForDevelopers } from '../../records/for-developers'
import { ContactCard, dayOf, known, moneyOf, RecordLink } from '../../records/parts'
import { readRecord } from '../../records/read-record'
import { eventOf, type Transaction } from '../../records/transactions'

type Props = { params: Promise<{ id: string }> }

const find = cache((id: string) => readRecord(viewInvoice, id))
const titleOf = (record: Item) => `Invoice ${cleanText(nameOf(record))}`

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { found } = await find((await params).id)
  return { title: found ? titleOf(found.record) : 'Deleted invoice' }
}

/** Says when an invoice is to be paid, or how late it is. */
function dueText(invoice: Item, at: Desk): string {
  const [status, late, due] = [textOf(invoice, 'status'), numberOf(invoice, 'daysLate'), dayOf(invoice, 'dueDate', at)]
  if (status === 'overdue' && late !== undefined) return at.words.count(late, 'day late', 'days late')
  return status === 'future' ? `dated ahead, due ${due}` : `due ${due}`
}

/** Returns what is open of an invoice and of how much, and since when. */
function figureOf(invoice: Item, at: Desk) {
  const amount = moneyOf(invoice, 'amount', at) ?? ''
  if (textOf(invoice, 'status') === 'paid') {
    const paid = dayOf(invoice, 'paidAt', at)
    return { name: 'Paid', value: amount, text: paid ? `paid on ${paid}` : 'paid' }
  }
  const balance = moneyOf(invoice, 'balance', at) ?? amount
  return { name: 'Balance', value: balance, text: `of ${amount}, ${dueText(invoice, at)}` }
}

function eventsOf(invoice: Item, timeline: Transaction[], at: Desk): TimelineEvent[] {
  const dated = (field: string, title: string, amount?: string): TimelineEvent[] => {
    const text = textOf(invoice, field)
    if (text === undefined) return []
    const day = storedDay(text, at)
    return [{ key: field, day, when: at.words.day(day), title, amount, isAhead: day > at.today }]
  }
  return inOrder(
    [
      ...dated('date', 'Invoiced', moneyOf(invoice, 'amount', at)),
      ...timeline.map((transaction) => eventOf(transaction, at)),
      ...dated('dueDate', 'Due'),
    ],
    false,
  )
}

export default async function InvoicePage({ params }: Props) {
  const { id, at, found, deletedAt } = await find((await params).id)
  if (!found) return <Deleted singular="invoice" path="/invoices" id={id} at={deletedAt} />
  const { record, customer, project, timeline } = found
  const status = textOf(record, 'status') ?? ''
  return (
    <>
      <RecordHeader
        list={{ href: '/invoices', name: 'Invoices' }}
        title={titleOf(record)}
        status={{ word: sentence(status), tone: toneOf(status) }}
        figure={figureOf(record, at)}
        facts={known([
          ['Customer', <RecordLink key="customer" of="customer" item={customer} />],
          ['Project', <RecordLink key="project" of="project" item={project} />],
          ['Date', dayOf(record, 'date', at)],
          ['Due', dayOf(record, 'dueDate', at)],
        ])}
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Card title="Payments">
          <Timeline label="Payments" events={eventsOf(record, timeline, at)} />
        </Card>
        <div className="grid gap-6">
          <Sums invoice={record} at={at} />
          <ContactCard customer={customer} at={at} title={nameOf(customer)} />
        </div>
      </div>
      <ForDevelopers path="/invoices" id={id} found={found} />
    </>
  )
}

/** What an invoice’s amount became. Sums that are zero say nothing and are left out. */
function Sums({ invoice, at }: { invoice: Item; at: Desk }) {
  const sum = (name: string, field: string): [string, string | undefined] => [
    name,
    numberOf(invoice, field) ? moneyOf(invoice, field, at) : undefined,
  ]
  return (
    <Card title="Amounts">
      <Amounts
        amounts={known([
          ['Invoiced', moneyOf(invoice, 'amount', at)],
          sum('Paid', 'paidAmount'),
          sum('Refunded', 'refundedAmount'),
          sum('Came back', 'reversedAmount'),
          sum('Credited', 'creditedAmount'),
          sum('Written off', 'writtenOffAmount'),
          sum('Held back until the work is accepted', 'retainage'),
          sum('To be paid now', 'unpaid'),
          ['Balance', moneyOf(invoice, 'balance', at)],
        ])}
      />
    </Card>
  )
}
