import type { Version } from './checksum.js'
import type { Delete, Records, ResourceName, Upsert } from './types.js'

/** The changes that a store is given at once. Within a batch no record comes twice. */
export type Batch = {
  upserts: Upsert[]
  deletes: Delete[]
  /** The state to keep with it, in the same transaction: the next sync goes on from there. A text of a few hundred characters. */
  state: string
}

/** The storage of a copy. Yours has a table for each resource and one row for the state. */
export type Store = {
  /** Returns the state of the last batch that was stored; undefined before the first. */
  load(): Promise<string | undefined> | string | undefined
  /**
   * Inserts or replaces the upserts by id, deletes the deletes (one that is not there is no fault), and keeps the state: all of it in
   * one transaction, or nothing.
   */
  apply(batch: Batch): Promise<void> | void
  /** Returns id and `updatedAt` of every record that the copy has of a resource, read from the copy: the proof is about these. */
  versions(resource: ResourceName): Iterable<Version> | AsyncIterable<Version>
}

type Kept = { [N in ResourceName]: Map<string, Records[N]> }

/** A copy in memory. */
export class MemoryStore implements Store {
  readonly records: Kept = {
    customers: new Map(),
    projects: new Map(),
    invoices: new Map(),
    payments: new Map(),
    estimates: new Map(),
  }
  #state: string | undefined

  load(): string | undefined {
    return this.#state
  }

  apply({ upserts, deletes, state }: Batch): void {
    for (const upsert of upserts) keep(this.records, upsert)
    for (const { resource, id } of deletes) this.records[resource].delete(id)
    this.#state = state
  }

  *versions(resource: ResourceName): Generator<Version> {
    for (const { id, updatedAt } of this.records[resource].values()) yield [id, updatedAt]
  }
}

/** Keeps a record. Generic, so that the compiler sees that name and record belong together. */
function keep<N extends ResourceName>(records: Kept, { resource, id, record }: Upsert<N>): void {
  records[resource].set(id, record)
}
