import { linksOf } from '@/db/queries/connector-links'
import { accountOf } from '@/lib/load/join/match'
import type { Row } from '@/lib/load/rows'
import type { Incoming, IncomingPart, IncomingPayment } from '../connector'
import { type Party, partiesOf } from './customers'
import { invoicesOf } from './invoices'
import type { Place } from './place'
import { chooseReferences, keyOf, type Wanted } from './references'
import { removePayments } from './remove'
import { readerOf } from './rows'
import { write } from './write'

const FIELDS = [
  'reference',
  'project',
  'invoice',
  'amount',
  'currency',
  'date',
  'method',
  'methodDetail',
  'externalReference',
  'type',
  'createdAt',
]

const isPayment = (item: Incoming): item is IncomingPayment => item.kind === 'payment'

type Part = IncomingPayment & { part: IncomingPart; party: Party }

/** Returns a part as a record of its own. The first one in money is the record that a file has of the whole payment, if there is one. */
function wantedOf({ entity, id, date, total, part, party }: Part, isFirst: boolean): Wanted {
  const type = part.type === 'refund' ? 'refund' : 'payment_received'
  return {
    entity,
    id,
    part: part.key,
    resource: 'payments',
    candidate: `${entity} ${id}, ${part.key}`,
    known: isFirst ? { customer: party.customer, amount: total, date, type } : undefined,
  }
}

const keyOfPart = ({ entity, id, part }: Part) => keyOf({ entity, id, part: part.key })

/** Takes away the records of parts that a payment no longer has. */
async function removeStale(place: Place, payments: IncomingPayment[]): Promise<void> {
  const { db, books } = place
  const parts = new Set(
    payments.flatMap(({ entity, id, parts }) => parts.map(({ key }) => keyOf({ entity, id, part: key }))),
  )
  const stored = await linksOf(
    db.orm,
    books,
    payments.map(({ entity, id }) => ({ entity, id })),
  )
  const stale = stored.filter(
    (link) => link.resource === 'payments' && !parts.has(keyOf({ ...link, id: link.externalId })),
  )
  await removePayments(place, stale)
}

async function writeEntity(place: Place, entity: string, payments: IncomingPayment[]): Promise<void> {
  await removeStale(place, payments)
  const parties = await partiesOf(
    place,
    payments.map(({ customer }) => customer),
  )
  const parts = payments.flatMap((payment): Part[] => {
    const party = parties.get(payment.customer)
    if (!party && payment.parts.length > 0) place.tally.fault(payment, `its customer ${payment.customer} is not there`)
    return party ? payment.parts.map((part) => ({ ...payment, part, party })) : []
  })
  const invoices = await invoicesOf(
    place,
    parts.flatMap(({ part }) => part.invoice ?? []),
  )
  const money = (part: Part) => part.part.type !== 'adjustment'
  const first = new Set(
    payments.flatMap(
      ({ entity, id }) => parts.find((part) => part.entity === entity && part.id === id && money(part)) ?? [],
    ),
  )
  const references = await chooseReferences(
    place,
    parts.map((part) => wantedOf(part, first.has(part))),
  )
  const reader = readerOf('payments', entity, FIELDS)
  const rows = parts.map((each): Row => {
    const { part, party, currency, date, method, reference: externalReference, createdAt } = each
    const invoice = part.invoice && invoices.get(keyOf({ ...part.invoice, part: '' }))
    if (part.invoice && !invoice)
      place.tally.fault(
        each,
        `${part.invoice.entity} ${part.invoice.id}, which it is for, is not stored; ${part.amount} is unapplied`,
      )
    return reader.row(each, {
      reference: references.get(keyOfPart(each)),
      customer: party.customer,
      project: invoice ? undefined : (party.project ?? accountOf(party.customer)),
      invoice,
      amount: part.amount,
      currency,
      date,
      method,
      methodDetail: method,
      externalReference,
      type: part.type,
      createdAt,
    })
  })
  await write(place, 'payments', reader, rows)
}

/** Writes payments and refunds, each with its parts; those that it no longer has are deleted. */
export async function applyPayments(place: Place, items: Incoming[]): Promise<void> {
  const payments = items.filter(isPayment)
  for (const entity of new Set(payments.map((item) => item.entity)))
    await writeEntity(
      place,
      entity,
      payments.filter((item) => item.entity === entity),
    )
}
