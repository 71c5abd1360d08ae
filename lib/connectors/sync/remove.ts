import { withinContractor } from '@/db/client'
import { idsByReference, type Link, linksOf, removeLinks } from '@/db/queries/connector-links'
import { removeInvoices } from '@/db/queries/load'
import { removeRecords } from '@/db/queries/missing'
import type { ResourceName } from '@/lib/core/resource-names'
import { resources } from '@/lib/resources/registry'
import type { Incoming, IncomingGone } from '../connector'
import { ownProject } from './invoices'
import type { Place, Written } from './place'

/** Rows that have no life of their own. */
const PARTS = ['project_materials']
/** The number of records in one transaction: the embedded database answers nothing else meanwhile. */
const AT_ONCE = 50

/** Deletes records that nothing else belongs to. @returns how many stay because something does */
export async function removeOf(place: Written, resource: ResourceName, references: string[]): Promise<number> {
  const { db, contractor, step, tally } = place
  const { table } = resources[resource].source
  let stay = 0
  for (let i = 0; i < references.length; i += AT_ONCE) {
    const found = await idsByReference(db.orm, table, contractor.id, references.slice(i, i + AT_ONCE))
    if (found.length === 0) continue
    const removing = { contractorId: contractor.id, ids: found.map(({ id }) => id), parts: PARTS, step }
    const { deleted, kept } = await removeRecords(db, table, removing)
    tally.of(resource).deleted += deleted
    stay += kept.size
  }
  return stay
}

/** Forgets which objects records are. */
export const forget = ({ db, books }: Written, links: Link[]) =>
  withinContractor(db.orm, books.contractorId, (orm) => removeLinks(orm, books, links))

/** Deletes the records of payments or parts of them. */
export async function removePayments(place: Written, links: Link[]): Promise<void> {
  if (links.length === 0) return
  await removeOf(
    place,
    'payments',
    links.map(({ reference }) => reference),
  )
  await forget(place, links)
}

/** Deletes the projects that invoices made by themselves and that nothing belongs to any more. */
export async function removeOwnProjects(place: Written, invoices: string[]): Promise<void> {
  await removeOf(place, 'projects', invoices.map(ownProject))
}

/** Deletes invoices; what paid them is unapplied. */
export async function removeInvoicesOf(place: Written, links: Link[]): Promise<void> {
  const { db, contractor, step, tally } = place
  for (let i = 0; i < links.length; i += AT_ONCE) {
    const references = links.slice(i, i + AT_ONCE).map(({ reference }) => reference)
    const { count } = await withinContractor(
      db.orm,
      contractor.id,
      (orm) => removeInvoices(orm, contractor.id, references),
      { step },
    )
    tally.of('invoices').deleted += count
  }
}

const isGone = (item: Incoming): item is IncomingGone => item.kind === 'gone'

/**
 * Deletes the records of objects that were deleted there. Customers and jobs stay: they can only be made inactive. Called after payments were
 * written, which then belong to an invoice that goes no longer.
 */
export async function applyGone(place: Place, items: Incoming[]): Promise<void> {
  const { db, books } = place
  const gone = items.filter(isGone).map(({ entity, id }) => ({ entity, id }))
  const links = (await linksOf(db.orm, books, gone)).filter(({ entity }) => place.connector.deletable.includes(entity))
  const of = (resource: ResourceName) => links.filter((link) => link.resource === resource)
  await removePayments(place, of('payments'))
  const invoices = of('invoices')
  await removeInvoicesOf(place, invoices)
  await removeOwnProjects(
    place,
    invoices.map(({ reference }) => reference),
  )
  await removeOf(
    place,
    'estimates',
    of('estimates').map(({ reference }) => reference),
  )
  await forget(place, links)
}
