import type { Database } from '@/db/client'
import { getItem } from '@/db/queries/list'
import { invoiceOfPayment, listNewest } from '@/db/queries/neighbours'
import { revenueTransactions } from '@/db/schema'
import type { Scope } from '@/lib/auth/scopes'
import type { Resource } from '@/lib/resources/define'
import { resources } from '@/lib/resources/registry'

/** Neighbours of a kind that one answer tells; the rest are counted. */
export const MOST_NEIGHBOURS = 10

/** A record as far as its neighbours hang on it. */
export type Anchor = { contractorId: string; id: string; customerId?: string; projectId?: string }

/** How one kind of neighbour is found: its JSON text, or undefined where there is none. */
type Neighbour = { scope: Scope; find(db: Database, anchor: Anchor): Promise<string | undefined> }

type IdOf = (db: Database, anchor: Anchor) => Promise<string | undefined>

const { customers, projects, invoices, payments } = resources

const one = (resource: Resource, idOf: IdOf): Neighbour => ({
  scope: resource.scope,
  find: async (db, anchor) => {
    const id = await idOf(db, anchor)
    return id === undefined ? undefined : getItem(db, resource.source, { contractorId: anchor.contractorId, id })
  },
})

/** `of` is the column that names the record, `by` the one that dates the neighbours. */
const many = (resource: Resource, of: { name: string }, by: { name: string }): Neighbour => ({
  scope: resource.scope,
  find: async (db, { contractorId, id }) => {
    const query = { contractorId, id, of: of.name, by: by.name, limit: MOST_NEIGHBOURS }
    const { items, more } = await listNewest(db, resource.source, query)
    return `{"items":${items},"more":${more}}`
  },
})

const customer = one(customers, async (_, { customerId }) => customerId)
const project = one(projects, async (_, { projectId }) => projectId)

/** What each kind of record is shown with, in the order of the answer. */
export const NEIGHBOURS = {
  customer: { projects: many(projects, projects.columns.customerId, projects.columns.createdAt) },
  project: {
    customer,
    invoices: many(invoices, invoices.columns.projectId, invoices.columns.date),
    payments: many(payments, payments.columns.projectId, payments.columns.date),
  },
  invoice: {
    project,
    customer,
    // Which invoice a payment is for is no public field of it, so the column is named here.
    payments: many(payments, revenueTransactions.invoiceId, payments.columns.date),
  },
  payment: { project, customer, invoice: one(invoices, invoiceOfPayment) },
} satisfies Record<string, Record<string, Neighbour>>

export type RecordType = keyof typeof NEIGHBOURS

/** The neighbours of a type of record by name, each with the scope it takes, which the caller checks. */
export const neighboursOf = (type: RecordType): [name: string, neighbour: Neighbour][] =>
  Object.entries<Neighbour>(NEIGHBOURS[type])
