import type { Database } from '@/db/client'
import type { Books } from '@/db/queries/connector-links'
import type { ConnectorCounts } from '@/db/schema'
import type { ResourceName } from '@/lib/core/resource-names'
import type { Connector, Session, Source } from '../connector'

const MOST_FAULTS = 50

/** The results of a run so far. */
export class Tally {
  read = 0
  counts: ConnectorCounts = {}
  faults: { object: string; reason: string }[] = []
  faultCount = 0

  of(resource: ResourceName): ConnectorCounts[string] {
    const counts = this.counts[resource] ?? { rows: 0, added: 0, updated: 0, deleted: 0, refused: 0 }
    this.counts[resource] = counts
    return counts
  }

  /** Notes why an object, or a part of it, was not written; the first of them with their reasons. */
  fault({ entity, id }: Source, reason: string): void {
    this.faultCount++
    if (this.faults.length < MOST_FAULTS) this.faults.push({ object: `${entity} ${id}`, reason: reason.slice(0, 300) })
  }

  /** Notes how many invoices or estimates have no number there, so that their id stands for it. */
  unnumbered(resource: ResourceName, items: { isUnnumbered: boolean }[]): void {
    const n = items.filter(({ isUnnumbered }) => isUnnumbered).length
    if (n === 0) return
    const counts = this.of(resource)
    counts.unnumbered = (counts.unnumbered ?? 0) + n
  }

  /** True when anything was written, deleted or refused. */
  get isSomething(): boolean {
    const sum = Object.values(this.counts).reduce((n, { added, updated, deleted }) => n + added + updated + deleted, 0)
    return sum + this.faultCount > 0
  }
}

/** The owner whose records are written or deleted. */
export type Written = {
  db: Database
  contractor: { id: string; currency: string; timezone: string; country?: string | null }
  books: Books
  tally: Tally
  /** The step that the writing is noted as, so that it can be taken back. */
  step?: string | undefined
}

/** The place where a run writes, and what it asks. */
export type Place = Written & { connector: Connector; session: Session; generation: number; signal: AbortSignal }
