import { withinContractor } from '@/db/client'
import { type Link, linksOf, removeLinks } from '@/db/queries/connector-links'
import { fingerprint } from '@/lib/load/identity'
import type { Row } from '@/lib/load/rows'
import type { Incoming, IncomingCustomer, IncomingJob } from '../connector'
import type { Place } from './place'
import { chooseReferences, keyOf } from './references'
import { readerOf } from './rows'
import { write } from './write'

const ENTITY = 'Customer'
const ADDRESS = ['address', 'city', 'state', 'zip']
/** Tells the job that an object is from the customer that it may have been before. */
const JOB = 'job'

const CUSTOMERS = readerOf('customers', ENTITY, ['reference', 'name', 'email', 'phone', ...ADDRESS, 'createdAt'])
const JOBS = readerOf('projects', ENTITY, ['reference', 'customer', 'name', 'status', ...ADDRESS, 'createdAt'])

const isCustomer = (item: Incoming): item is IncomingCustomer => item.kind === 'customer'
const isJob = (item: Incoming): item is IncomingJob => item.kind === 'job'

/** The party that a record is for: a customer, or a job of one. */
export type Party = { customer: string; project: string | undefined }

const partyOf = ({ resource, reference, owner }: Link): Party =>
  resource === 'projects' ? { customer: owner ?? '', project: reference } : { customer: reference, project: undefined }

/** The parties that are stored, by the vendor's ids; a job counts before the customer that it was. */
async function storedParties({ db, books }: Place, ids: string[]): Promise<Map<string, Party>> {
  const found = await linksOf(
    db.orm,
    books,
    ids.map((id) => ({ entity: ENTITY, id })),
  )
  const sorted = [...found].sort((a, b) => a.part.localeCompare(b.part))
  return new Map(sorted.map((link) => [link.externalId, partyOf(link)]))
}

async function writeCustomers(place: Place, items: IncomingCustomer[]): Promise<void> {
  const wanted = items.map((item) => ({
    ...item,
    part: '',
    resource: 'customers' as const,
    candidate: fingerprint('customer', item.name),
  }))
  const references = await chooseReferences(place, wanted)
  // It may have been a job before.
  const were = items.map(({ id }) => ({ entity: ENTITY, externalId: id, part: JOB }))
  await withinContractor(place.db.orm, place.books.contractorId, (orm) => removeLinks(orm, place.books, were))
  const rows = wanted.map((item): Row => {
    const { name, email, phone, address, city, state, zip, createdAt } = item
    const reference = references.get(keyOf(item))
    return CUSTOMERS.row(item, { reference, name, email, phone, address, city, state, zip, createdAt })
  })
  await write(place, 'customers', CUSTOMERS, rows)
}

async function writeJobs(place: Place, items: IncomingJob[], parents: Map<string, Party>): Promise<void> {
  const wanted = items.map((item) => {
    const owner = parents.get(item.parent)?.customer ?? ''
    return {
      ...item,
      part: JOB,
      resource: 'projects' as const,
      owner,
      candidate: fingerprint('project', owner, item.name),
    }
  })
  const references = await chooseReferences(place, wanted)
  const rows = wanted.map((item): Row => {
    const { address, city, state, zip, createdAt, name, owner: customer } = item
    const status = item.status === 'completed' ? 'completed' : 'in progress'
    return JOBS.row(item, {
      address,
      city,
      state,
      zip,
      createdAt,
      name,
      customer,
      status,
      reference: references.get(keyOf(item)),
    })
  })
  await write(place, 'projects', JOBS, rows)
}

/** Writes customers, then their jobs, each after what it belongs to; what is not there yet is asked for. */
export async function applyParties(place: Place, items: Incoming[]): Promise<void> {
  await writeCustomers(place, items.filter(isCustomer))
  let waiting = items.filter(isJob)
  const asked = new Set<string>()
  while (waiting.length > 0) {
    const parents = await storedParties(
      place,
      waiting.map(({ parent }) => parent),
    )
    const ready = waiting.filter(({ parent }) => parents.has(parent))
    await writeJobs(place, ready, parents)
    waiting = waiting.filter(({ parent }) => !parents.has(parent))
    if (ready.length > 0 || waiting.length === 0) continue
    const here = new Set(waiting.map(({ id }) => id))
    const missing = [...new Set(waiting.map(({ parent }) => parent))].filter((id) => !here.has(id) && !asked.has(id))
    for (const id of missing) asked.add(id)
    const found = missing.length > 0 ? await place.connector.find(place.session, ENTITY, missing) : []
    if (found.length === 0) {
      for (const job of waiting) place.tally.fault(job, 'the customer that this job belongs to is not there')
      return
    }
    await writeCustomers(place, found.filter(isCustomer))
    waiting.push(...found.filter(isJob))
  }
}

/** The parties of records, by the vendor's ids; those that were not read yet are asked for and written. */
export async function partiesOf(place: Place, ids: string[]): Promise<Map<string, Party>> {
  const wanted = [...new Set(ids)].filter(Boolean)
  const stored = await storedParties(place, wanted)
  const missing = wanted.filter((id) => !stored.has(id))
  if (missing.length === 0) return stored
  await applyParties(place, await place.connector.find(place.session, ENTITY, missing))
  return new Map([...stored, ...(await storedParties(place, missing))])
}
