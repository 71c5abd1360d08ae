import type { Orm } from '@/db/client'
import { type LockedProjects, type ProjectRef, projectsByReference } from '@/db/queries/load'
import { keyOf, Links } from '../links'

/** An id that a record would get. */
export const wouldBe = (reference: string) => `new:${reference}`
/** An id that stands for a record of which only the key is known. */
export const named = (key: bigint) => `#${key.toString(36)}`

/** The projects that a load would add or change, with their customers, and those of the invoices that it would add. */
export class WouldBeProjects {
  private readonly owners = new Links()
  private readonly ofInvoices = new Links()

  /** Remembers a project's customer. */
  setOwner(reference: string, customerId: string): void {
    this.owners.set(reference, customerId)
  }

  /** Remembers an invoice's project. */
  setInvoice(reference: string, projectId: string): void {
    this.ofInvoices.set(reference, projectId)
  }

  /** The key of the project of an invoice that would be added; undefined for any other. */
  ofInvoice(reference: string): bigint | undefined {
    return this.ofInvoices.get(reference)
  }

  /** Returns stored projects and those that would be added, each with its customer's key; `ids` takes the ids by their keys. */
  async find(
    orm: Orm,
    contractorId: string,
    references: { projects: string[]; invoices: string[] },
    ids: Map<bigint, string>,
  ): Promise<LockedProjects> {
    const stored = await projectsByReference(orm, contractorId, references)
    const customers = new Map(
      stored.flatMap(({ reference, customerId }) =>
        reference === null ? [] : [[reference, keyOf(customerId)] as const],
      ),
    )
    const byReference = new Map<string, ProjectRef>()
    const known = new Map(stored.flatMap(({ reference, id }) => (reference === null ? [] : [[reference, id] as const])))
    for (const reference of new Set([...references.projects, ...known.keys()])) {
      const owner = this.owners.get(reference) ?? customers.get(reference)
      if (owner === undefined) continue
      byReference.set(reference, { id: known.get(reference) ?? wouldBe(reference), customerId: named(owner) })
    }
    const byId = new Map(stored.map(({ id, customerId }) => [id, { id, customerId: named(keyOf(customerId)) }]))
    for (const project of byReference.values()) byId.set(project.id, project)
    for (const { id } of byId.values()) ids.set(keyOf(id), id)
    for (const key of references.invoices.flatMap((reference) => this.ofInvoices.get(reference) ?? []))
      if (!ids.has(key)) byId.set(named(key), { id: named(key), customerId: '' })
    return { byReference, byId }
  }
}
