import { and, eq, sql } from 'drizzle-orm'
import type { Orm } from '../client'
import { documents, oauthClients, oauthGrants, projects, searchShelves, users } from '../schema'

type Reserved = { id: string; reference: string }

/**
 * Gives records the ids that the documentation shows before the file with them is loaded, which then fills them in. Records that are there
 * already keep their ids.
 */
export async function reserveShown(
  orm: Orm,
  contractorId: string,
  shown: readonly { customer: Reserved; project: Reserved }[],
): Promise<void> {
  for (const { customer, project } of shown) {
    const made = { contractorId, sourceReference: customer.reference, name: customer.reference }
    await orm
      .insert(users)
      .values({ ...made, id: customer.id })
      .onConflictDoNothing()
    const isTheirs = and(eq(users.contractorId, contractorId), eq(users.sourceReference, customer.reference))
    const [owner] = await orm.select({ id: users.id }).from(users).where(isTheirs)
    if (!owner) continue
    const job = { contractorId, customerId: owner.id, sourceReference: project.reference, name: project.reference }
    await orm
      .insert(projects)
      .values({ ...job, id: project.id, status: 'lead' })
      .onConflictDoNothing()
  }
}

/** Gives a document the id that the documentation shows before its file is loaded. One that is there already keeps its id. */
export async function reserveShownDocument(orm: Orm, contractorId: string, { id, reference }: Reserved): Promise<void> {
  const shelf = { owner: contractorId, type: 'document' }
  await orm.insert(searchShelves).values(shelf).onConflictDoNothing()
  const isTheirs = and(eq(searchShelves.owner, shelf.owner), eq(searchShelves.type, shelf.type))
  const [made] = await orm.select({ id: searchShelves.id }).from(searchShelves).where(isTheirs)
  if (!made) return
  const stub = { id, shelfId: made.id, reference, title: reference, untrusted: false, digest: '' }
  await orm.insert(documents).values(stub).onConflictDoNothing()
}

/** The outcome of a lead's project; days as `2026-11-20`. */
export type Outcome = {
  reference: string
  status: string
  totalAmount: string
  startDate: string | null
  endDate: string | null
}

/**
 * Moves a lead's project on and gives it, and its customer who has none, a reference that files can name.
 * @returns the customer's reference; undefined when the contractor has no such project
 */
export async function advanceLead(
  orm: Orm,
  contractorId: string,
  projectId: string,
  { reference, ...values }: Outcome,
): Promise<string | undefined> {
  const [moved] = await orm
    .update(projects)
    .set({ ...values, sourceReference: reference })
    .where(and(eq(projects.contractorId, contractorId), eq(projects.id, projectId)))
    .returning({ customerId: projects.customerId })
  if (!moved) return undefined
  const [customer] = await orm
    .update(users)
    .set({ sourceReference: sql`coalesce(${users.sourceReference}, ${`C-${reference}`})` })
    .where(and(eq(users.contractorId, contractorId), eq(users.id, moved.customerId)))
    .returning({ reference: users.sourceReference })
  return customer?.reference ?? undefined
}

type DemoProgram = { id: string; clientId: string; name: string; destination: string; at: Date }

/** Stores programs as clients that are not verified, and a person's connections of them. */
export async function storeDemoConnections(
  orm: Orm,
  {
    contractorId,
    personId,
    scopes,
    programs,
  }: { contractorId: string; personId: string; scopes: string[]; programs: readonly DemoProgram[] },
): Promise<void> {
  for (const { id, clientId, name, destination, at } of programs) {
    const redirectUris = [`https://${destination}/callback`]
    await orm
      .insert(oauthClients)
      .values({ id: clientId, clientId, name, redirectUris, createdAt: at })
      .onConflictDoNothing()
    await orm.insert(oauthGrants).values({
      ...{ id, contractorId, clientId, userId: personId, referenceId: id, scopes },
      ...{ clientName: name, destination, connectedAt: at, createdAt: at, updatedAt: at },
    })
  }
}
