import type { Metadata } from 'next'
import { cache } from 'react'
import { Card } from '@/app/ui/card'
import { RecordHeader } from '@/app/ui/record-header'
import { Timeline } from '@/app/ui/timeline'
import { cleanText } from '@/lib/core/clean'
import type { Desk } from '@/lib/core/desk'
import { viewPayment } from '@/lib/operations/desk/view-invoice'
import { type Item, methodOf, nameOf, numberOf, pageOf, textOf } from '../../records/columns'
import { Deleted } from '../../records/deleted'
import { ForDevelopers } from '../../records/for-developers'
import { ContactCard, dayOf, known, moneyOf, RecordLink } from '../../records/parts'
import { readRecord } from '../../records/read-record'
import type { Transaction } from '../../records/transactions'

type Props = { params: Promise<{ id: string }> }

const find = cache((id: string) => readRecord(viewPayment, id))

/** Returns what a payment is called: by its reference, or else by how it was made and its amount. */
const titleOf = (payment: Item, at: Desk) =>
  textOf(payment, 'reference')
    ? `Payment ${cleanText(nameOf(payment))}`
    : `${methodOf(payment)}, ${dayOf(payment, 'date', at)}`

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { found, at } = await find((await params).id)
  return { title: found ? titleOf(found.record, at) : 'Deleted payment' }
}

export default async function PaymentPage({ params }: Props) {
  const { id, at, found, deletedAt } = await find((await params).id)
  if (!found) return <Deleted singular="payment" path="/payments" id={id} at={deletedAt} />
  const { record, customer, project, invoice, allocations } = found
  return (
    <>
      <RecordHeader
        list={{ href: '/payments', name: 'Payments' }}
        title={titleOf(record, at)}
        figure={{
          name: 'Amount',
          value: moneyOf(record, 'amount', at) ?? '',
          text: `received on ${dayOf(record, 'date', at)}`,
        }}
        facts={known([
          ['Customer', <RecordLink key="customer" of="customer" item={customer} />],
          ['Project', <RecordLink key="project" of="project" item={project} />],
          ['Method', methodOf(record)],
          ['Reference', textOf(record, 'reference') && cleanText(textOf(record, 'reference') ?? '')],
        ])}
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Applied invoice={invoice} allocations={allocations} at={at} />
        <ContactCard customer={customer} at={at} title={nameOf(customer)} />
      </div>
      <ForDevelopers path="/payments" id={id} found={found} />
    </>
  )
}

/** What a payment was for: the invoice it names, and the invoices that its money was moved to. */
function Applied({ invoice, allocations, at }: { invoice: Item | null; allocations: Transaction[]; at: Desk }) {
  return (
    <Card title="Applied to">
      {invoice && (
        <p>
          Invoice <RecordLink of="invoice" item={invoice} />:{' '}
          {numberOf(invoice, 'balance') === 0
            ? `${moneyOf(invoice, 'amount', at)}, nothing of it open any more.`
            : `${moneyOf(invoice, 'balance', at)} of ${moneyOf(invoice, 'amount', at)} is still open.`}
        </p>
      )}
      {!invoice && allocations.length === 0 && (
        <p className="text-quiet">It names no invoice: a deposit, or money that is still to be applied.</p>
      )}
      {allocations.length > 0 && (
        <Timeline
          label="Applied to"
          events={allocations.map(({ id, date, amount, currency, invoiceId, invoiceNumber, ahead }) => ({
            key: id,
            day: date,
            when: at.words.day(date),
            title: invoiceId ? (
              <a href={pageOf('invoice', invoiceId)}>Invoice {cleanText(invoiceNumber ?? '')}</a>
            ) : (
              'Taken from what was not applied'
            ),
            amount: at.words.money(amount, currency),
            isAhead: ahead,
          }))}
        />
      )}
    </Card>
  )
}
