import type { Database, Orm } from '@/db/client'
import { invoicesByReference, storedTransactions, usersByReference } from '@/db/queries/load'
import { isSummed, type Previewed, previewUpsert, storedAmounts } from '@/db/queries/load-preview'
import { type Candidate, candidates, type Unmatched } from '@/db/queries/match'
import type { UpsertColumn, UpsertRecord } from '@/db/queries/upsert'
import type { Books } from '../batches/books'
import type { FileKind } from '../columns'
import { keyOf } from '../links'
import type { Fault } from '../report'
import type { Row } from '../rows'
import { SeenReferences } from '../seen'
import { Slices } from '../slices'
import { Months, type MonthTotal, monthAmountOf } from './months'
import { MOST_ODD, type Odd, OddRows } from './odd'
import { named, WouldBeProjects, wouldBe } from './projects'
import { Unsaid } from './unsaid'

/** What a dry run tells beside the counts: months and the oddest rows. */
export type Preview = { months: MonthTotal[]; odd: Odd[] }

/** Records of one table that would be written; `file` is what the report calls them. */
type Batch = { file: string; table: string; columns: UpsertColumn[]; records: UpsertRecord[] }

/**
 * A load that writes nothing: it remembers what earlier files and rows would have added, in 64 bits for each reference, so that later ones
 * find it.
 */
export class DryRun {
  private readonly looked = new Map<string, SeenReferences>()
  /** The invoices that payments of this folder pay. */
  private readonly paid = new SeenReferences()
  /** Whether the folder changes which invoices a payment may be for. */
  private movesInvoices = false
  private readonly projects = new WouldBeProjects()
  private readonly notes = new Unsaid()
  private readonly months = new Map<string, Months>()
  private readonly odd = new Map<string, OddRows>()

  /** Files that are joined may have the same record, so that all of their records are remembered. */
  constructor(private readonly isJoined: boolean) {}

  /** What is looked up and compared in one read-only transaction. */
  books(orm: Orm, contractorId: string, file: string): Books {
    const ids = new Map<bigint, string>()
    const projectOf = (key: bigint) => ids.get(key) ?? named(key)
    return {
      customers: async (references) => {
        const stored = await usersByReference(orm, contractorId, references)
        for (const reference of references)
          if (!stored.has(reference) && this.looked.get('users')?.has(reference))
            stored.set(reference, wouldBe(reference))
        return stored
      },
      ownerOf: (customerId) => named(keyOf(customerId)),
      projects: (references) => this.projects.find(orm, contractorId, references, ids),
      invoices: async (references) => {
        const stored = await invoicesByReference(orm, contractorId, references)
        for (const reference of references) {
          const key = this.projects.ofInvoice(reference)
          if (key !== undefined && !stored.has(reference))
            stored.set(reference, { id: wouldBe(reference), projectId: projectOf(key) })
        }
        return stored
      },
      candidates: (payments) => this.candidates(orm, contractorId, { file, payments }),
      transactions: (references) => storedTransactions(orm, contractorId, references),
      chooseIds: async (_, placed) => placed.map((each) => ({ ...each, id: each.storedId ?? '' })),
      removeInvoices: async (references) => {
        const gone = await invoicesByReference(orm, contractorId, references)
        const ids = [...gone.values()].map(({ id }) => id)
        if (gone.size > 0) this.movesInvoices = true
        for (const was of await storedAmounts(orm, 'analytics_invoice_records', ids))
          this.monthsOf(file, 'analytics_invoice_records')?.add(was, -1n)
        return gone.size
      },
      upsert: (table, columns, records) => this.compare(orm, contractorId, { file, table, columns, records }),
    }
  }

  /** Looks at rows that can be loaded for what is odd. */
  look(kind: FileKind, rows: Row[]): void {
    const key = `${kind.file} ${kind.table}`
    const odd = this.odd.get(key) ?? new OddRows(kind)
    this.odd.set(key, odd)
    for (const row of rows) odd.look(row)
  }

  /** Counts stored records of a complete file as deleted. */
  async remove(orm: Orm, kind: FileKind, ids: string[]): Promise<void> {
    if (!isSummed(kind.table)) return
    for (const was of await storedAmounts(orm, kind.table, ids)) this.monthsOf(kind.file, kind.table)?.add(was, -1n)
  }

  async preview(db: Database, contractorId: string): Promise<Preview> {
    const slices = new Slices(db)
    const months: MonthTotal[] = []
    for (const each of this.months.values())
      months.push(...(await each.totals(db.orm, contractorId, () => slices.between())))
    return { months, odd: [...this.odd.values()].flatMap((each) => each.worst()).slice(0, MOST_ODD * this.odd.size) }
  }

  /** What this run cannot say. */
  unsaid(): Fault[] {
    return this.notes.faults()
  }

  /** The stored invoices that payments may be for, without those that this folder's payments pay. */
  private async candidates(
    orm: Orm,
    contractorId: string,
    { file, payments }: { file: string; payments: Unmatched[] },
  ): Promise<{ found: Candidate[]; isFinal: boolean }> {
    const found = await candidates(orm, contractorId, payments)
    const stored = await invoicesByReference(orm, contractorId, [...new Set(found.map(({ invoice }) => invoice))])
    if (this.movesInvoices && payments.length > 0) this.notes.noteUnmatched(file)
    return {
      found: found.filter(({ invoice }) => !this.paid.has(stored.get(invoice)?.id ?? '')),
      isFinal: !this.movesInvoices,
    }
  }

  private monthsOf(file: string, table: string): Months | undefined {
    if (!isSummed(table)) return undefined
    const months = this.months.get(file) ?? new Months(file, table)
    this.months.set(file, months)
    return months
  }

  private async compare(orm: Orm, contractorId: string, batch: Batch) {
    const { file, table, columns, records } = batch
    const previewed = await previewUpsert(orm, contractorId, batch)
    const states = new Map(previewed.map((each) => [each.reference, each]))
    const counts = { added: 0, updated: 0 }
    for (const record of records) {
      const reference = String(record.source_reference)
      const { state, was } = this.settle(batch, record, states.get(reference))
      if (state === 'unchanged') continue
      counts[state]++
      this.remember(table, record, reference, state)
      const months = this.monthsOf(file, table)
      const will = monthAmountOf(table, columns, record, was)
      if (was) months?.add(was, -1n)
      if (will && (was || state === 'added')) months?.add(will, 1n)
    }
    return counts
  }

  /** What becomes of a record that was compared with what is stored, given what earlier files of the folder would do with it. */
  private settle(
    { file, table, columns }: Batch,
    record: UpsertRecord,
    { state, was }: Pick<Previewed, 'state' | 'was'> = { state: 'unchanged', was: null },
  ): Pick<Previewed, 'state' | 'was'> {
    if (record.invoice_id && record.type === 'payment_received') this.paid.firstLine(String(record.invoice_id), 1)
    if (!this.lookAgain(table, String(record.source_reference))) return { state, was }
    if (!columns.some(({ update }) => update)) return { state: 'unchanged', was: null }
    this.notes.noteAgain(file)
    return { state: state === 'added' ? 'updated' : state, was: null }
  }

  /** Whether an earlier file has a record too. Customers are always remembered, for the files that name them. */
  private lookAgain(table: string, reference: string): boolean {
    if (!this.isJoined && table !== 'users') return false
    const looked = this.looked.get(table) ?? new SeenReferences()
    this.looked.set(table, looked)
    return looked.firstLine(reference, 1) !== undefined
  }

  private remember(table: string, record: UpsertRecord, reference: string, state: 'added' | 'updated'): void {
    const moves = state === 'updated' && ['projects', 'analytics_revenue_transactions'].includes(table)
    if (moves || table === 'analytics_invoice_records') this.movesInvoices = true
    if (table === 'projects') this.projects.setOwner(reference, String(record.customer_id))
    if (table === 'analytics_invoice_records' && state === 'added')
      this.projects.setInvoice(reference, String(record.project_id))
  }
}
