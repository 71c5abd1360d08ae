import { linksOf } from '@/db/queries/connector-links'
import { invoiceReference } from '@/lib/load/identity'
import type { Row } from '@/lib/load/rows'
import type { Incoming, IncomingEstimate, IncomingInvoice, Source } from '../connector'
import { type Party, partiesOf } from './customers'
import type { Place } from './place'
import { chooseReferences, keyOf } from './references'
import { readerOf } from './rows'
import { write } from './write'

const FIELDS = [
  'reference',
  'number',
  'project',
  'amount',
  'currency',
  'date',
  'dueDate',
  'balance',
  'status',
  'createdAt',
]
const OWN_PROJECT = ['reference', 'customer', 'name', 'totalAmount', 'createdAt']

const isInvoice = (item: Incoming): item is IncomingInvoice => item.kind === 'invoice'
const isEstimate = (item: Incoming): item is IncomingEstimate => item.kind === 'estimate'

/** The word that begins the name of an invoice's project without a job, before the number. */
const CALLED: Record<string, string> = { Invoice: 'Invoice', CreditMemo: 'Credit memo', SalesReceipt: 'Sales receipt' }

/** The project that an invoice without a job makes by itself, by the rule that files follow too. */
export const ownProject = (reference: string): string => `invoice ${reference}`

/** Splits off what names a customer who is nowhere, and says so. */
function withParty<T extends Source & { customer: string }>(
  place: Place,
  items: T[],
  parties: Map<string, Party>,
): (T & { party: Party })[] {
  return items.flatMap((item) => {
    const party = parties.get(item.customer)
    if (!party) place.tally.fault(item, `its customer ${item.customer || 'has no id and'} is not there`)
    return party ? [{ ...item, party }] : []
  })
}

type Placed = IncomingInvoice & { party: Party; reference: string }

/** Writes the projects of invoices that name no job. */
async function writeOwnProjects(place: Place, entity: string, items: Placed[]): Promise<void> {
  // What is new is in progress; what is stored keeps the status that somebody gave it.
  const reader = readerOf('projects', entity, OWN_PROJECT)
  const rows = items.map((item): Row => {
    const name = `${CALLED[entity] ?? entity} ${item.number}`
    const { reference, amount: totalAmount, createdAt, party } = item
    return {
      ...reader.row(item, { reference: ownProject(reference), customer: party.customer, name, totalAmount, createdAt }),
    }
  })
  for (const row of rows) row.values.status = 'in_progress'
  await write(place, 'projects', reader, rows)
}

/** Writes invoices of one entity. @returns the references of those that are void, whose own projects may go */
async function writeEntity(place: Place, entity: string, items: IncomingInvoice[]): Promise<string[]> {
  const parties = await partiesOf(
    place,
    items.map(({ customer }) => customer),
  )
  const wanted = withParty(place, items, parties).map((item) => ({
    ...item,
    part: '',
    resource: 'invoices' as const,
    candidate: invoiceReference('QuickBooks Online', item.number, item.party.customer),
  }))
  const references = await chooseReferences(place, wanted)
  const placed = wanted.map((item): Placed => ({ ...item, reference: references.get(keyOf(item)) ?? item.candidate }))
  const there = placed.filter(({ isVoid }) => !isVoid)
  await writeOwnProjects(
    place,
    entity,
    there.filter(({ party }) => party.project === undefined),
  )
  const reader = readerOf('invoices', entity, FIELDS)
  const rows = placed.map((item): Row => {
    const { reference, number, party, amount, currency, date, dueDate, balance, isVoid, createdAt } = item
    const project = party.project ?? ownProject(reference)
    const status = isVoid ? 'void' : undefined
    return reader.row(item, {
      reference,
      number,
      project,
      amount,
      currency,
      date,
      dueDate: dueDate ?? date,
      balance,
      status,
      createdAt,
    })
  })
  await write(place, 'invoices', reader, rows)
  place.tally.unnumbered('invoices', there)
  return placed.filter(({ isVoid }) => isVoid).map(({ reference }) => reference)
}

/** Writes invoices, credit memos and sales receipts. @returns the references of those that are void */
export async function applyInvoices(place: Place, items: Incoming[]): Promise<string[]> {
  const invoices = items.filter(isInvoice)
  const voided: string[] = []
  for (const entity of new Set(invoices.map((item) => item.entity)))
    voided.push(
      ...(await writeEntity(
        place,
        entity,
        invoices.filter((item) => item.entity === entity),
      )),
    )
  return voided
}

/** The references of invoices that payments name, by their objects; those that were not read yet are asked for and written. */
export async function invoicesOf(place: Place, objects: Source[]): Promise<Map<string, string>> {
  const { db, books, connector, session } = place
  const stored = async (of: Source[]) => {
    const links = await linksOf(db.orm, books, of)
    return links
      .filter(({ resource }) => resource === 'invoices')
      .map((link) => [keyOf({ ...link, id: link.externalId }), link.reference] as const)
  }
  const unique = [...new Map(objects.map((object) => [keyOf({ ...object, part: '' }), object])).values()]
  const found = new Map(await stored(unique))
  const missing = unique.filter((object) => !found.has(keyOf({ ...object, part: '' })))
  if (missing.length === 0) return found
  for (const entity of new Set(missing.map((object) => object.entity))) {
    const ids = missing.filter((object) => object.entity === entity).map(({ id }) => id)
    await applyInvoices(place, await connector.find(session, entity, ids))
  }
  return new Map([...found, ...(await stored(missing))])
}

const ESTIMATES = readerOf('estimates', 'Estimate', [
  'reference',
  'number',
  'customer',
  'project',
  'amount',
  'currency',
  'date',
  'validUntil',
  'status',
  'createdAt',
])

/** Writes estimates; one for a job names its project. */
export async function applyEstimates(place: Place, items: Incoming[]): Promise<void> {
  const estimates = items.filter(isEstimate)
  const parties = await partiesOf(
    place,
    estimates.map(({ customer }) => customer),
  )
  const wanted = withParty(place, estimates, parties).map((item) => ({
    ...item,
    part: '',
    resource: 'estimates' as const,
    candidate: item.number,
  }))
  const references = await chooseReferences(place, wanted)
  const rows = wanted.map((item): Row => {
    const { number, party, amount, currency, date, validUntil, status, createdAt } = item
    const { customer, project } = party
    return ESTIMATES.row(item, {
      reference: references.get(keyOf(item)),
      number,
      customer,
      project,
      amount,
      currency,
      date,
      validUntil,
      status,
      createdAt,
    })
  })
  await write(place, 'estimates', ESTIMATES, rows)
  place.tally.unnumbered('estimates', wanted)
}
